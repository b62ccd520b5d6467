import FoundationEssentials
import Testing

@testable import TillCatalogue

/// Valid and invalid sources of content.
struct SourceLocationTests {
    private func refusal(_ text: String) -> String? {
        do {
            _ = try SourceLocation(text, relativeTo: "/shop")
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(arguments: [
        ("file:content/themes.zip", "/shop/content/themes.zip"), ("file:themes.zip", "/shop/themes.zip"),
        ("file:../themes.zip", "/shop/../themes.zip"), ("file:///srv/themes.zip", "/srv/themes.zip"),
        ("file:/srv/themes.zip", "/srv/themes.zip"), ("FILE:a", "/shop/a"), ("file:a%20b%C3%A4%25", "/shop/a bä%"),
        ("file:a:b", "/shop/a:b"),
    ])
    func aFileIsResolvedAgainstTheManifestsDirectory(text: String, path: String) throws {
        let url = try SourceLocation(text, relativeTo: "/shop").url
        #expect(url.isFileURL)
        #expect(url.path(percentEncoded: false) == path)
        #expect(url.absoluteString.hasPrefix("file:///"))
    }

    @Test(arguments: [
        ("http://example.org/a.zip", "http://example.org/a.zip"), ("HTTPS://example.org/a", "https://example.org/a"),
        ("https://example.org:8443/a?b=c@d%20e", "https://example.org:8443/a?b=c@d%20e"),
        ("http://[::1]:80/a", "http://[::1]:80/a"), ("http://127.0.0.1", "http://127.0.0.1"),
    ])
    func aWebAddressIsKeptAsItIs(text: String, url: String) throws {
        #expect(try SourceLocation(text, relativeTo: "/shop").url.absoluteString == url)
    }

    @Test(arguments: [
        ("", "expected \(SourceLocation.rule)"), ("themes.zip", "expected \(SourceLocation.rule)"),
        ("ftp://example.org/a", "its scheme is not file, http or https"),
        ("data:,a", "its scheme is not file, http or https"), (":a", "its scheme is not file, http or https"),
        ("http:", "expected \(SourceLocation.rule)"), ("http:a", "expected \(SourceLocation.rule)"),
        ("http:///a", "expected \(SourceLocation.rule)"), ("http://[]/", "expected \(SourceLocation.rule)"),
        ("http://%5B%5D/", "expected \(SourceLocation.rule)"),
        ("https://exa mple.org/", "expected \(SourceLocation.rule)"),
        ("https://example.org/a b", "expected \(SourceLocation.rule)"),
        ("https://example.org/\n", "expected \(SourceLocation.rule)"),
        ("https://example.org/ä", "expected \(SourceLocation.rule)"),
        ("https://example.org:0/", "its port is not from 1 to 65535"),
        ("https://example.org:65536/", "its port is not from 1 to 65535"),
        ("https://me@example.org/", "it has a user or password, which is not allowed in a source"),
        ("https://@example.org/", "it has a user or password, which is not allowed in a source"),
        ("https://me:secret@example.org/a", "it has a user or password, which is not allowed in a source"),
        ("https://example.org/#", "it has a fragment, which is not allowed in a source"),
        ("https://example.org/a#b", "it has a fragment, which is not allowed in a source"),
        (
            "file://example.org/a",
            "it names another host; write file:///path, or file:path for one beside the manifest"
        ),
        ("file://a", "it names another host; write file:///path, or file:path for one beside the manifest"),
        ("file:", "it does not name a file"), ("file:///", "it does not name a file"),
        ("file:a/", "it does not name a file"),
        ("file:..", "it does not name a file"), ("file:a/.", "it does not name a file"),
        ("file:a/%2E", "it does not name a file"),
        ("file:a b", "a character in it must be percent-encoded, such as a space as %20"),
        ("file:a?b", "a character in it must be percent-encoded, such as a space as %20"),
        ("file:a#b", "a character in it must be percent-encoded, such as a space as %20"),
        ("file:ä", "a character in it must be percent-encoded, such as a space as %20"),
        ("file:a%", "two hexadecimal digits are expected after each %"),
        ("file:a%2", "two hexadecimal digits are expected after each %"),
        ("file:a%zz", "two hexadecimal digits are expected after each %"),
        ("file:a%00", "its path is not UTF-8 without NUL"), ("file:a%FF", "its path is not UTF-8 without NUL"),
        ("file:" + String(repeating: "a", count: 2044), "it is longer than 2048 bytes"),
    ])
    func anythingElseIsRefusedWithTheReason(text: String, reason: String) {
        #expect(refusal(text) == reason)
    }

    @Test
    func aSourceOfMaximumLengthIsAccepted() {
        #expect(refusal("file:" + String(repeating: "a", count: CatalogueLimits.sourceBytes - 5)) == nil)
    }

    @Test(arguments: [
        ("/shop/Notes.content.json", "/shop"), ("/shop/a/Notes.content.json", "/shop/a"), ("/Notes.content.json", ""),
    ])
    func theDirectoryOfAnAbsolutePathIsItsOwn(path: String, directory: String) {
        #expect(SourceLocation.directory(of: path) == directory)
    }

    @Test
    func theDirectoryOfARelativePathIsAbsolute() {
        let current = FileManager.default.currentDirectoryPath
        #expect(SourceLocation.directory(of: "Notes.content.json") == current)
        #expect(SourceLocation.directory(of: "a/b/Notes.content.json") == "\(current)/a/b")
    }
}
