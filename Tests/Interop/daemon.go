package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/containerd/ttrpc"
	"google.golang.org/grpc/codes"

	healthwire "grpc/health/v1"
	tillwire "till/v1"
)

const (
	queue       = "till.v1.PaymentQueue"
	products    = "till.v1.Products"
	application = "org.example.notes"
	coins       = application + ".coins10"
	pro         = application + ".pro"
)

// client is one connection to the daemon.
type client struct {
	*ttrpc.Client
}

// dial waits up to ten seconds for the daemon's socket.
func dial(socket string) (client, error) {
	end := time.Now().Add(10 * time.Second)
	for {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			return client{ttrpc.NewClient(conn)}, nil
		}
		if time.Now().After(end) {
			return client{}, err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// call makes a call with a timeout and metadata.
func (c client) call(service, method string, request, response interface{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	ctx = ttrpc.WithMetadata(ctx, ttrpc.MD{"call-id": {method}, "language": {"go"}})
	return c.Call(ctx, service, method, request, response)
}

func uuid() []byte {
	id := make([]byte, 16)
	if _, err := rand.Read(id); err != nil {
		panic(err)
	}
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id
}

func callDaemon(r *report, socket string) {
	c, err := dial(socket)
	r.check("connect", err)
	if err != nil {
		return
	}
	defer c.Close()
	checkHello(r, c)
	checkProducts(r, c)
	checkPurchase(r, c)
	checkRefusals(r, c)
	checkRestore(r, c)
	checkDownloads(r, c)
	checkReceipts(r, c)
	checkParallel(r, c)
	checkStreams(r, socket)
}

func checkHello(r *report, c client) {
	var health healthwire.HealthCheckResponse
	err := c.call("grpc.health.v1.Health", "Check", &healthwire.HealthCheckRequest{}, &health)
	r.check("Health.Check answers before Hello", err)
	r.isTrue("Health.Check says SERVING", health.Status == healthwire.HealthCheckResponse_SERVING, health)

	var list tillwire.ListTransactionsResponse
	err = c.call(queue, "ListTransactions", &tillwire.ListTransactionsRequest{}, &list)
	r.fails("a call before Hello is FAILED_PRECONDITION", codes.FailedPrecondition, err)

	var hello tillwire.HelloResponse
	err = c.call(queue, "Hello", &tillwire.HelloRequest{ProtocolMinimum: 2, ProtocolMaximum: 3, Application: application}, &hello)
	r.fails("Hello of a newer protocol is FAILED_PRECONDITION", codes.FailedPrecondition, err)
	err = c.call(queue, "Hello", &tillwire.HelloRequest{
		ProtocolMinimum: 1,
		ProtocolMaximum: 9,
		Application:     application,
		Capabilities:    []string{"of-the-future"},
		Client:          "interop/1",
	}, &hello)
	r.check("Hello", err)
	r.isTrue("Hello agrees on protocol 1", hello.Protocol == 1, hello)
	r.isTrue("Hello names the account", strings.HasPrefix(hello.Account, "uid:"), hello)
	r.isTrue("Hello names the ledger", len(hello.LedgerId) == 16, hello)

	var can tillwire.CanMakePaymentsResponse
	r.check("CanMakePayments", c.call(queue, "CanMakePayments", &tillwire.CanMakePaymentsRequest{}, &can))
	r.isTrue("CanMakePayments says yes", can.CanMakePayments, can)
}

func checkProducts(r *report, c client) {
	var found tillwire.ProductsResponse
	err := c.call(products, "Products", &tillwire.ProductsRequest{ProductIds: []string{coins, "org.example.none"}}, &found)
	r.check("Products", err)
	r.isTrue("Products finds one and not the other",
		len(found.Products) == 1 && found.Products[0].Id == coins && found.Products[0].Price != nil &&
			len(found.Invalid) == 1 && found.Invalid[0].ProductId == "org.example.none", found)

	count, token := 0, ""
	for {
		var page tillwire.ProductsResponse
		err = c.call(products, "Products", &tillwire.ProductsRequest{PageToken: token}, &page)
		count, token = count+len(page.Products), page.NextPageToken
		if err != nil || token == "" {
			break
		}
	}
	r.check("Products in pages", err)
	r.isTrue("all products are in the pages", count == 7, count)

	var storefront tillwire.StorefrontResponse
	r.check("Storefront", c.call(products, "Storefront", &tillwire.StorefrontRequest{}, &storefront))
	r.isTrue("Storefront has a country", len(storefront.CountryCode) == 3, storefront)
}

// add sends a payment; the transaction is nil if the payment was refused.
func add(c client, payment *tillwire.Payment) (*tillwire.Transaction, error) {
	var response tillwire.AddPaymentResponse
	err := c.call(queue, "AddPayment", &tillwire.AddPaymentRequest{Payment: payment}, &response)
	return response.Transaction, err
}

// await lists the queue until one of its transactions fulfils the condition, for up to ten seconds.
func await(c client, condition func(*tillwire.Transaction) bool) (*tillwire.Transaction, error) {
	end := time.Now().Add(10 * time.Second)
	for {
		token := uint64(0)
		for {
			var page tillwire.ListTransactionsResponse
			request := &tillwire.ListTransactionsRequest{PageSize: 2, PageToken: token}
			if err := c.call(queue, "ListTransactions", request, &page); err != nil {
				return nil, err
			}
			for _, transaction := range page.Transactions {
				if condition(transaction) {
					return transaction, nil
				}
			}
			if token = page.NextPageToken; token == 0 {
				break
			}
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("no matching transaction after ten seconds")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func awaitFinal(c client, id []byte) (*tillwire.Transaction, error) {
	return await(c, func(t *tillwire.Transaction) bool {
		return string(t.Id) == string(id) && t.State != tillwire.TransactionState_PURCHASING
	})
}

func finish(c client, id []byte) (uint64, error) {
	var response tillwire.FinishTransactionResponse
	err := c.call(queue, "FinishTransaction", &tillwire.FinishTransactionRequest{TransactionId: id}, &response)
	return response.Revision, err
}

func checkPurchase(r *report, c client) {
	payment := &tillwire.Payment{
		Id:        uuid(),
		ProductId: coins,
		Quantity:  2,
		ApplicationUsernamePresence: &tillwire.Payment_ApplicationUsername{
			ApplicationUsername: "gopher",
		},
	}
	first, err := add(c, payment)
	r.check("AddPayment", err)
	if err != nil {
		return
	}
	r.isTrue("the transaction has the payment's identity", string(first.Id) == string(payment.Id), first)
	again, err := add(c, payment)
	r.isTrue("the same payment again is the same transaction", err == nil && string(again.Id) == string(first.Id), err)
	_, err = add(c, &tillwire.Payment{Id: payment.Id, ProductId: coins, Quantity: 3})
	r.fails("another payment under the same identity is ALREADY_EXISTS", codes.AlreadyExists, err)

	bought, err := awaitFinal(c, payment.Id)
	r.check("ListTransactions until it is purchased", err)
	if err != nil {
		return
	}
	r.isTrue("it is purchased, with its identifier and date", bought.State == tillwire.TransactionState_PURCHASED &&
		bought.Purchase != nil && bought.Purchase.TransactionIdentifier != "" && bought.Purchase.TransactionDateMs > 0, bought)
	r.isTrue("it has the payment that was sent", bought.Payment.Quantity == 2 &&
		bought.Payment.GetApplicationUsername() == "gopher", bought.Payment)

	revision, err := finish(c, payment.Id)
	r.check("FinishTransaction", err)
	repeated, err := finish(c, payment.Id)
	r.isTrue("finishing again is harmless", err == nil && repeated == revision, err)
}

func checkRefusals(r *report, c client) {
	none := &tillwire.Payment{Id: uuid(), ProductId: "org.example.none", Quantity: 1}
	failed, err := add(c, none)
	r.isTrue("a product that is not sold fails its transaction", err == nil && failed.State == tillwire.TransactionState_FAILED &&
		failed.Error.Code == 5 && failed.Error.MoneyMoved == tillwire.MoneyMoved_MONEY_MOVED_NO, failed)
	_, err = finish(c, none.Id)
	r.check("a failed transaction is finished", err)

	_, err = add(c, &tillwire.Payment{Id: uuid(), ProductId: "no product/identifier", Quantity: 1})
	r.fails("a malformed product identifier is INVALID_ARGUMENT", codes.InvalidArgument, err)
	_, err = add(c, &tillwire.Payment{Id: uuid(), ProductId: coins, Quantity: 11})
	r.fails("a quantity of 11 is INVALID_ARGUMENT", codes.InvalidArgument, err)
	_, err = add(c, &tillwire.Payment{Id: []byte{1, 2}, ProductId: coins, Quantity: 1})
	r.fails("an identity of two bytes is INVALID_ARGUMENT", codes.InvalidArgument, err)
	_, err = finish(c, uuid())
	r.fails("finishing an unknown transaction is NOT_FOUND", codes.NotFound, err)

	var nothing tillwire.CancelResponse
	r.fails("an unknown method is UNIMPLEMENTED", codes.Unimplemented, c.call(queue, "Refund", &tillwire.CancelRequest{}, &nothing))
	r.fails("an unknown service is UNIMPLEMENTED", codes.Unimplemented, c.call("till.v9.None", "Hello", &tillwire.CancelRequest{}, &nothing))
	r.fails("a stream asked for as a unary call is INVALID_ARGUMENT", codes.InvalidArgument, c.call(queue, "Observe", &tillwire.ObserveRequest{}, &nothing))
	err = c.call(queue, "Cancel", &tillwire.CancelRequest{CallId: "nobody's"}, &nothing)
	r.isTrue("Cancel of an unknown call finds nothing", err == nil && !nothing.Found, err)

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	many := ttrpc.MD{}
	for i := 0; i < 17; i++ {
		many.Append("key", "value")
	}
	err = c.Call(ttrpc.WithMetadata(ctx, many), queue, "CanMakePayments", &tillwire.CanMakePaymentsRequest{}, &nothing)
	r.fails("17 pairs of metadata are RESOURCE_EXHAUSTED", codes.ResourceExhausted, err)
	err = c.call(queue, "Cancel", &tillwire.CancelRequest{CallId: strings.Repeat("x", 300<<10)}, &nothing)
	r.fails("a frame of 300 KiB is RESOURCE_EXHAUSTED", codes.ResourceExhausted, err)
	var hello tillwire.HelloResponse
	err = c.call(queue, "Hello", &tillwire.HelloRequest{ProtocolMinimum: 1, ProtocolMaximum: 1, Application: "org.example.other"}, &hello)
	r.fails("Hello of another application on the same connection is FAILED_PRECONDITION", codes.FailedPrecondition, err)
}

func checkRestore(r *report, c client) {
	payment := &tillwire.Payment{Id: uuid(), ProductId: pro, Quantity: 1}
	_, err := add(c, payment)
	r.check("AddPayment of a non-consumable", err)
	_, err = awaitFinal(c, payment.Id)
	r.check("it is purchased", err)
	_, err = finish(c, payment.Id)
	r.check("it is finished", err)

	request := &tillwire.RestoreCompletedTransactionsRequest{RestoreId: uuid()}
	var restore tillwire.RestoreCompletedTransactionsResponse
	r.check("RestoreCompletedTransactions", c.call(queue, "RestoreCompletedTransactions", request, &restore))
	restored, err := await(c, func(t *tillwire.Transaction) bool { return t.State == tillwire.TransactionState_RESTORED })
	r.check("ListTransactions until it is restored", err)
	if err != nil {
		return
	}
	r.isTrue("it has its original", restored.Original != nil && string(restored.Original.Id) == string(payment.Id) &&
		string(restored.Id) != string(payment.Id), restored)
	err = c.call(queue, "RestoreCompletedTransactions", request, &restore)
	r.isTrue("repeating the restore returns its end, with one item", err == nil &&
		restore.State == tillwire.RestoreState_RESTORE_FINISHED && restore.RestoredCount == 1, restore)
	_, err = finish(c, restored.Id)
	r.check("the restored transaction is finished", err)
}

// checkParallel keeps many calls in flight on one connection.
func checkParallel(r *report, c client) {
	var wait sync.WaitGroup
	errors := make(chan error, 64)
	for i := 0; i < 64; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			payment := &tillwire.Payment{Id: uuid(), ProductId: coins, Quantity: 1}
			transaction, err := add(c, payment)
			if err == nil && string(transaction.Id) != string(payment.Id) {
				err = fmt.Errorf("the answer of another call")
			}
			errors <- err
		}()
	}
	wait.Wait()
	var first error
	for i := 0; i < 64; i++ {
		if err := <-errors; err != nil {
			first = err
		}
	}
	r.check("64 payments at once are each answered with their own", first)
}
