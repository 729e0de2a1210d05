// Seals a value to the workers' public key: a sealed box of libsodium, which the private half alone opens.
import { blake2b } from "../vendor/blake2.js";
import "../vendor/nacl.js";

const { nacl } = self;
const FILL = 256; // a sealed text is filled up to a multiple of so many bytes, so that its length tells little

/** Base64 of a seal with name and value; `publicKey` is base64, too. */
export function seal(name, value, publicKey) {
  const receiver = bytesOf(publicKey);
  const sender = nacl.box.keyPair();
  const nonce = blake2b(joined(sender.publicKey, receiver), { dkLen: nacl.box.nonceLength });
  const box = nacl.box(filled(JSON.stringify({ name, value })), nonce, receiver, sender.secretKey);
  sender.secretKey.fill(0);
  return btoa(String.fromCharCode(...joined(sender.publicKey, box)));
}

function filled(text) {
  const bytes = new TextEncoder().encode(text);
  const made = new Uint8Array(Math.ceil(bytes.length / FILL) * FILL).fill(0x20);
  made.set(bytes);
  return made;
}

function joined(one, other) {
  const made = new Uint8Array(one.length + other.length);
  made.set(one);
  made.set(other, one.length);
  return made;
}

const bytesOf = (base64) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
