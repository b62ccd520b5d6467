package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/containerd/ttrpc"
	"github.com/gogo/protobuf/proto"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	tillwire "till/v1"
)

const (
	authorization = "till.v1.Authorization"

	typeRequest  = 1
	typeResponse = 2
	typeData     = 3
	flagClosed   = 1
)

// wire is a connection whose frames are made here, because Debian's Go library does not support streams. A newer
// version opens them in the same way, without metadata and without a timeout.
type wire struct {
	net.Conn
	next uint32
}

// send opens the next stream with a request, and returns its number.
func (w *wire) send(service, method string, flags byte, message proto.Message) (uint32, error) {
	payload, err := proto.Marshal(message)
	if err != nil {
		return 0, err
	}
	data, err := proto.Marshal(&ttrpc.Request{Service: service, Method: method, Payload: payload})
	if err != nil {
		return 0, err
	}
	stream := w.next
	w.next += 2
	frame := make([]byte, 10, 10+len(data))
	binary.BigEndian.PutUint32(frame, uint32(len(data)))
	binary.BigEndian.PutUint32(frame[4:], stream)
	frame[8], frame[9] = typeRequest, flags
	_, err = w.Write(append(frame, data...))
	return stream, err
}

// frame is a frame from the daemon.
type frame struct {
	stream uint32
	kind   byte
	data   []byte
}

func (w *wire) receive() (frame, error) {
	var header [10]byte
	if _, err := io.ReadFull(w, header[:]); err != nil {
		return frame{}, err
	}
	data := make([]byte, binary.BigEndian.Uint32(header[:]))
	_, err := io.ReadFull(w, data)
	return frame{binary.BigEndian.Uint32(header[4:]), header[8], data}, err
}

// receiveData waits for a message of the stream, and ignores everything else.
func (w *wire) receiveData(stream uint32) error {
	for {
		f, err := w.receive()
		if err != nil || f.stream == stream && f.kind == typeData {
			return err
		}
		if f.stream == stream {
			return fmt.Errorf("the stream ended")
		}
	}
}

// receiveEnd waits for the response that ends a stream, and returns its error.
func (w *wire) receiveEnd(stream uint32, message proto.Message) error {
	for {
		f, err := w.receive()
		if err != nil {
			return err
		}
		if f.stream != stream || f.kind != typeResponse {
			continue
		}
		var response ttrpc.Response
		if err := proto.Unmarshal(f.data, &response); err != nil {
			return err
		}
		if response.Status != nil && response.Status.Code != int32(codes.OK) {
			return status.ErrorProto(response.Status)
		}
		return proto.Unmarshal(response.Payload, message)
	}
}

// cancel ends a stream; returns how the stream ended, and whether the daemon found it.
func (w *wire) cancel(stream uint32, request *tillwire.CancelRequest) (error, bool) {
	call, err := w.send(queue, "Cancel", 0, request)
	if err != nil {
		return err, false
	}
	var nothing tillwire.ObserveResponse
	end := w.receiveEnd(stream, &nothing)
	var response tillwire.CancelResponse
	if err := w.receiveEnd(call, &response); err != nil {
		return err, false
	}
	return end, response.Found
}

func (w *wire) observe(id uint32) (uint32, error) {
	return w.send(queue, "Observe", flagClosed, &tillwire.ObserveRequest{ObserverId: id})
}

func observer(id uint32) *tillwire.CancelRequest {
	return &tillwire.CancelRequest{
		ObserverIdPresence: &tillwire.CancelRequest_ObserverId{ObserverId: id},
	}
}

// checkStreams opens and abandons streams like a client whose library sends nothing when its caller abandons one.
func checkStreams(r *report, socket string) {
	conn, err := net.Dial("unix", socket)
	r.check("connect for streams", err)
	if err != nil {
		return
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(60 * time.Second))
	w := &wire{Conn: conn, next: 1}
	hello, err := w.send(queue, "Hello", 0, &tillwire.HelloRequest{
		ProtocolMinimum: 1, ProtocolMaximum: 1, Application: application,
	})
	r.check("Hello for streams", err)
	r.check("Hello for streams is answered", w.receiveEnd(hello, &tillwire.HelloResponse{}))

	older, _ := w.observe(7)
	r.check("Observe without metadata begins", w.receiveData(older))
	newer, _ := w.observe(7)
	r.fails("Observe again with the same observer_id ends the older stream with CANCELLED", codes.Canceled,
		w.receiveEnd(older, &tillwire.ObserveResponse{}))
	r.check("the newer stream begins", w.receiveData(newer))
	end, found := w.cancel(newer, observer(7))
	r.fails("Cancel of its observer_id ends it with CANCELLED", codes.Canceled, end)
	r.isTrue("Cancel finds it", found, found)

	watch, _ := w.send(authorization, "Watch", flagClosed, &tillwire.WatchRequest{WatchId: 7})
	end, found = w.cancel(watch, &tillwire.CancelRequest{WatchId: 7})
	r.fails("Cancel of its watch_id ends a Watch with CANCELLED", codes.Canceled, end)
	r.isTrue("Cancel finds the Watch", found, found)

	left := 0
	for id := uint32(1); id <= 300; id++ {
		stream, _ := w.observe(id)
		if end, found := w.cancel(stream, observer(id)); found && status.Code(end) == codes.Canceled {
			left++
		}
	}
	r.isTrue("more streams than the limit are abandoned one after another", left == 300, left)
}
