package main

import (
	"fmt"
	"os"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// report counts the checks and prints a line for each.
type report struct {
	passed, failed int
}

func (r *report) check(name string, err error) {
	if err == nil {
		r.passed++
		fmt.Println("ok    ", name)
	} else {
		r.failed++
		fmt.Printf("FAILED %s: %v\n", name, err)
	}
}

// isTrue checks a fact, and prints the value if the fact is false.
func (r *report) isTrue(name string, fact bool, what interface{}) {
	if fact {
		r.check(name, nil)
	} else {
		r.check(name, fmt.Errorf("got %+v", what))
	}
}

// fails checks that a call ended with a status.
func (r *report) fails(name string, code codes.Code, err error) {
	if status.Code(err) == code {
		r.check(name, nil)
	} else {
		r.check(name, fmt.Errorf("expected %v, got %v", code, err))
	}
}

func (r *report) exit() {
	fmt.Printf("%d passed, %d failed\n", r.passed, r.failed)
	if r.failed > 0 {
		os.Exit(1)
	}
}
