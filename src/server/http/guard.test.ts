import { expect, test } from "vitest";
import { guard, requireSafe } from "./guard.js";

const TOKEN = "0123456789abcdef0123";
const caller = {
  path: "/v1/segment",
  target: "/v1/segment",
  host: "127.0.0.1:8000",
  origin: undefined,
  authorization: undefined,
};
const loopback = { host: "127.0.0.1", token: undefined };

test("other machines are served with a long token only", () => {
  for (const host of ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
    expect(() => requireSafe(host, undefined)).not.toThrow();
  for (const host of ["0.0.0.0", "::", "192.168.1.5", "example.com"]) {
    expect(() => requireSafe(host, undefined)).toThrow(`${host} can be reached by other machines`);
    expect(() => requireSafe(host, "short")).toThrow("has 5 characters");
    expect(() => requireSafe(host, TOKEN)).not.toThrow();
  }
});

test.each(["127.0.0.1", "127.0.0.1:8000", "localhost:9000", "LOCALHOST", "[::1]:8000", "127.9.9.9:1"])(
  "a request to %s means this machine",
  (host) => expect(() => guard({ ...caller, host }, loopback)).not.toThrow(),
);

test.each([
  ...["evil.example", "127.evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1"],
  ...["", "[127.0.0.1]:8000", "[evil]", "localhost:8000:1", "0.0.0.0:8000", "127.0.0.1:8000@evil.example"],
])('a request to "%s" was meant for another server: 421', (host) => {
  expect(() => guard({ ...caller, host }, loopback)).toThrow(expect.objectContaining({ status: 421 }));
});

test("beyond loopback any name is right: proxies have their own", () => {
  const there = { ...caller, host: "gpu.example", authorization: `Bearer ${TOKEN}` };
  expect(() => guard(there, { host: "0.0.0.0", token: TOKEN })).not.toThrow();
});

test("pages of other origins are refused, our own is not", () => {
  for (const origin of ["http://evil.example", "null", "http://127.0.0.1:9999"])
    expect(() => guard({ ...caller, origin }, loopback)).toThrow(expect.objectContaining({ status: 403 }));
  expect(() => guard({ ...caller, origin: "http://127.0.0.1:8000" }, loopback)).not.toThrow();
});

test("the token is a bearer token or the password of anybody; health needs none", () => {
  const served = { host: "127.0.0.1", token: TOKEN };
  const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;
  for (const authorization of [`Bearer ${TOKEN}`, `bearer ${TOKEN}`, basic(`me:${TOKEN}`), basic(`:${TOKEN}`)])
    expect(() => guard({ ...caller, authorization }, served)).not.toThrow();
  const wrong = [
    undefined,
    "",
    TOKEN,
    "Bearer",
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    basic("me:no"),
    "Basic !",
  ];
  for (const authorization of wrong)
    expect(() => guard({ ...caller, authorization }, served)).toThrow(expect.objectContaining({ status: 401 }));
  for (const path of ["/v2/health/live", "/v2/health/ready"])
    expect(() => guard({ ...caller, path }, served)).not.toThrow();
  expect(() => guard({ ...caller, path: "/metrics" }, served)).toThrow("a token is needed");
});

test("addresses with dots as a part are refused however they are spelled, others with dots are not", () => {
  const targets = [
    "/v2/../x",
    "/..",
    "/v2/models/.",
    "/a/%2e%2e/b",
    "/a/.%2E",
    "/a/..%2fb",
    "/a/..%5cb",
    "/./a",
    "/a\\..\\b",
  ];
  for (const target of targets)
    expect(() => guard({ ...caller, target }, loopback)).toThrow(expect.objectContaining({ status: 400 }));
  for (const target of ["/v2/models/a.b", "/v2/models/..a", "/v1/segment?model=../..", "/assets/x.min.js"])
    expect(() => guard({ ...caller, target }, loopback)).not.toThrow();
});
