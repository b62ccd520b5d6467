package main

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"time"

	"github.com/containerd/ttrpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	healthwire "grpc/health/v1"
	tillwire "till/v1"
)

// method turns a function of two messages into a method of the server.
func method(request interface{}, answer func(context.Context) (interface{}, error)) ttrpc.Method {
	return func(ctx context.Context, unmarshal func(interface{}) error) (interface{}, error) {
		if err := unmarshal(request); err != nil {
			return nil, err
		}
		return answer(ctx)
	}
}

// serveTill runs the command line against a server of the other implementation, which answers like a daemon.
func serveTill(r *report, till, socket string) {
	listener, err := net.Listen("unix", socket)
	r.check("serve", err)
	if err != nil {
		return
	}
	server, err := ttrpc.NewServer()
	r.check("make a server", err)
	var hello tillwire.HelloRequest
	hasTimeout := false
	server.Register(queue, map[string]ttrpc.Method{
		"Hello": method(&hello, func(ctx context.Context) (interface{}, error) {
			_, hasTimeout = ctx.Deadline()
			return &tillwire.HelloResponse{
				Protocol: 1, Server: "gopher/1", Account: "uid:7", LedgerId: uuid(), HeartbeatMs: 45000,
			}, nil
		}),
		"CanMakePayments": method(&tillwire.CanMakePaymentsRequest{}, func(context.Context) (interface{}, error) {
			return &tillwire.CanMakePaymentsResponse{CanMakePayments: true}, nil
		}),
		"ListTransactions": method(&tillwire.ListTransactionsRequest{}, func(context.Context) (interface{}, error) {
			return &tillwire.ListTransactionsResponse{Transactions: []*tillwire.Transaction{{
				Id: uuid(), Revision: 1, State: tillwire.TransactionState_PURCHASED,
				Payment:  &tillwire.Payment{Id: uuid(), ProductId: "org.example.burrow", Quantity: 1},
				Purchase: &tillwire.PurchaseIdentity{TransactionIdentifier: "1", TransactionDateMs: 1},
			}}}, nil
		}),
	})
	server.Register(products, map[string]ttrpc.Method{
		"Products": method(&tillwire.ProductsRequest{}, func(context.Context) (interface{}, error) {
			return nil, status.Error(codes.PermissionDenied, "gophers only")
		}),
		"Storefront": method(&tillwire.StorefrontRequest{}, func(context.Context) (interface{}, error) {
			return &tillwire.StorefrontResponse{CountryCode: "NLD", Identifier: "143452"}, nil
		}),
	})
	server.Register("grpc.health.v1.Health", map[string]ttrpc.Method{
		"Check": method(&healthwire.HealthCheckRequest{}, func(context.Context) (interface{}, error) {
			return &healthwire.HealthCheckResponse{Status: healthwire.HealthCheckResponse_SERVING}, nil
		}),
	})
	go server.Serve(context.Background(), listener)
	defer server.Close()

	output, err := run(till, socket, "status")
	r.check("till status against the other server", err)
	r.isTrue("till shows the other server's answer", strings.Contains(output, "gopher/1"), output)
	r.isTrue("the other server read till's Hello", hello.Application == application && hello.ProtocolMinimum == 1, hello)
	r.isTrue("the other server got till's timeout", hasTimeout, hasTimeout)
	output, err = run(till, socket, "transactions")
	r.isTrue("till lists the other server's transaction", err == nil && strings.Contains(output, "org.example.burrow"), output)
	output, err = run(till, socket, "products")
	exit, _ := err.(*exec.ExitError)
	r.isTrue("till prints the other server's error, and exits with 77",
		exit != nil && exit.ExitCode() == 77 && strings.Contains(output, "ophers only"), fmt.Sprint(output, err))
}

func run(till, socket string, verb string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	output, err := exec.CommandContext(ctx, till, verb, "--socket", socket, "--application", application).CombinedOutput()
	return string(output), err
}
