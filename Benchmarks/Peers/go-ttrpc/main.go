// A server and a client of containerd's ttrpc, for the standard health check.
//
//	go-ttrpc serve SOCKET
//	go-ttrpc load SOCKET SAMPLES CONNECTIONS IN_FLIGHT WARM_UP_SECONDS SECONDS
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	var err error
	switch {
	case len(os.Args) == 3 && os.Args[1] == "serve":
		err = serve(os.Args[2])
	case len(os.Args) == 8 && os.Args[1] == "load":
		err = load(os.Args[2], os.Args[3], numbers(os.Args[4:]))
	default:
		fmt.Fprintln(os.Stderr, "usage: go-ttrpc serve SOCKET")
		fmt.Fprintln(os.Stderr, "       go-ttrpc load SOCKET SAMPLES CONNECTIONS IN_FLIGHT WARM_UP_SECONDS SECONDS")
		os.Exit(64)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "go-ttrpc:", err)
		os.Exit(1)
	}
}

// numbers parses the numeric arguments.
func numbers(texts []string) []float64 {
	values := make([]float64, len(texts))
	for i, text := range texts {
		value, err := strconv.ParseFloat(text, 64)
		if err != nil || value < 0 {
			fmt.Fprintln(os.Stderr, "go-ttrpc:", text, "is not a valid number")
			os.Exit(64)
		}
		values[i] = value
	}
	return values
}
