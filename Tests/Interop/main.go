// Tests Till with another implementation of ttrpc: first its client with tilld, then till with its server.
//
//	interop DAEMON_SOCKET TILL_PROGRAM SOCKET_TO_SERVE
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: interop DAEMON_SOCKET TILL_PROGRAM SOCKET_TO_SERVE")
		os.Exit(64)
	}
	var r report
	callDaemon(&r, os.Args[1])
	serveTill(&r, os.Args[2], os.Args[3])
	r.exit()
}
