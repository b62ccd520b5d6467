package main

import (
	"context"
	"net"

	"github.com/containerd/ttrpc"

	healthwire "grpc/health/v1"
)

const healthService = "grpc.health.v1.Health"

// serve answers health checks until the program is ended.
func serve(socket string) error {
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	server, err := ttrpc.NewServer()
	if err != nil {
		return err
	}
	server.Register(healthService, map[string]ttrpc.Method{"Check": check})
	return server.Serve(context.Background(), listener)
}

func check(ctx context.Context, unmarshal func(interface{}) error) (interface{}, error) {
	var request healthwire.HealthCheckRequest
	if err := unmarshal(&request); err != nil {
		return nil, err
	}
	return &healthwire.HealthCheckResponse{Status: healthwire.HealthCheckResponse_SERVING}, nil
}
