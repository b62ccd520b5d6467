package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/containerd/ttrpc"

	healthwire "grpc/health/v1"
)

const (
	connectTries = 1000
	connectPause = 10 * time.Millisecond
	callTimeout  = 30 * time.Second
	samplesHint  = 1 << 16
)

// A caller makes one call after another, and records the latency of each, in units of 100 ns.
type caller struct {
	client *ttrpc.Client
	taken  []uint32
	err    error
}

// load keeps calls in flight on connections, writes their latencies, and prints their number.
func load(socket, samples string, numbers []float64) error {
	var callers []*caller
	for connection := 0; connection < int(numbers[0]); connection++ {
		client, err := connect(socket)
		if err != nil {
			return err
		}
		defer client.Close()
		for call := 0; call < int(numbers[1]); call++ {
			callers = append(callers, &caller{client: client, taken: make([]uint32, 0, samplesHint)})
		}
	}
	from := time.Now().Add(time.Duration(numbers[2] * float64(time.Second)))
	until := from.Add(time.Duration(numbers[3] * float64(time.Second)))
	run(callers, from, until)
	return report(callers, samples, numbers)
}

// connect waits for a server that has just been started.
func connect(socket string) (*ttrpc.Client, error) {
	var last error
	for try := 0; try < connectTries; try++ {
		connection, err := net.Dial("unix", socket)
		if err == nil {
			return ttrpc.NewClient(connection), nil
		}
		last = err
		time.Sleep(connectPause)
	}
	return nil, last
}

func run(callers []*caller, from, until time.Time) {
	var group sync.WaitGroup
	for _, c := range callers {
		group.Add(1)
		go func(c *caller) {
			defer group.Done()
			c.err = c.work(from, until)
		}(c)
	}
	group.Wait()
}

func (c *caller) work(from, until time.Time) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Until(until)+callTimeout)
	defer cancel()
	var request healthwire.HealthCheckRequest
	before := time.Now()
	for before.Before(until) {
		var response healthwire.HealthCheckResponse
		if err := c.client.Call(ctx, healthService, "Check", &request, &response); err != nil {
			return err
		}
		after := time.Now()
		if !after.Before(from) && after.Before(until) {
			c.taken = append(c.taken, uint32(after.Sub(before)/100))
		}
		before = after
	}
	return nil
}

func report(callers []*caller, path string, numbers []float64) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	writer := bufio.NewWriter(file)
	operations := 0
	for _, c := range callers {
		if c.err != nil {
			return c.err
		}
		operations += len(c.taken)
		if err := binary.Write(writer, binary.LittleEndian, c.taken); err != nil {
			return err
		}
	}
	fmt.Printf("{\"protocol\":\"go-ttrpc\",\"connections\":%.0f,\"inFlight\":%.0f,\"seconds\":%.6f,"+
		"\"operations\":%d,\"events\":0,\"errors\":0}\n", numbers[0], numbers[1], numbers[3], operations)
	return writer.Flush()
}
