package main

import (
	"crypto/x509"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	tillwire "till/v1"
)

const (
	downloads = "till.v1.Downloads"
	receipts  = "till.v1.Receipts"
)

func checkDownloads(r *report, c client) {
	var list tillwire.ListDownloadsResponse
	r.check("ListDownloads", c.call(downloads, "ListDownloads", &tillwire.ListDownloadsRequest{}, &list))
	whole := true
	for _, download := range list.Downloads {
		whole = whole && len(download.Id) == 16 && len(download.TransactionId) == 16 && download.Content != nil &&
			download.Content.Length > 0
	}
	r.isTrue("each download has its identities and its content", whole, list)

	for _, method := range []string{"Start", "Pause", "Resume", "Cancel"} {
		var changed tillwire.DownloadsResponse
		err := c.call(downloads, method, &tillwire.DownloadsRequest{DownloadIds: [][]byte{uuid()}}, &changed)
		r.isTrue(method+" of an unknown download is NOT_FOUND, or FAILED_PRECONDITION without hosted content",
			isOneOf(err, codes.NotFound, codes.FailedPrecondition), err)
	}
	var none tillwire.DownloadsResponse
	err := c.call(downloads, "Start", &tillwire.DownloadsRequest{}, &none)
	r.isTrue("Start without downloads is refused", isOneOf(err, codes.InvalidArgument, codes.FailedPrecondition), err)
}

func checkReceipts(r *report, c client) {
	var root tillwire.RootCertificateResponse
	err := c.call(receipts, "RootCertificate", &tillwire.RootCertificateRequest{}, &root)
	if isOneOf(err, codes.FailedPrecondition) {
		r.check("RootCertificate of a store that does not sign is FAILED_PRECONDITION", nil)
	} else {
		r.check("RootCertificate", err)
		certificate, err := x509.ParseCertificate(root.Certificate)
		r.check("the root is a certificate in DER", err)
		if err == nil {
			r.check("the root is signed by itself", certificate.CheckSignatureFrom(certificate))
		}
	}

	// Debian's Go library does not support streams.
	var part tillwire.ReceiptPart
	r.fails("the application's receipt as a unary call is INVALID_ARGUMENT", codes.InvalidArgument,
		c.call(receipts, "ApplicationReceipt", &tillwire.ApplicationReceiptRequest{}, &part))
}

func isOneOf(err error, wanted ...codes.Code) bool {
	for _, code := range wanted {
		if err != nil && status.Code(err) == code {
			return true
		}
	}
	return false
}
