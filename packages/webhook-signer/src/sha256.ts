// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
const K = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
])

// The same of the square roots of the first eight (FIPS 180-4, 5.3.3).
const H = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]

/** SHA-256 (FIPS 180-4) in nothing but ECMAScript. No branch and no index depends on the bytes hashed. */
export function sha256(message: Uint8Array): Uint8Array {
  const blocks = padded(message)
  const state = Int32Array.from(H)
  const w = new Int32Array(64)
  for (let offset = 0; offset < blocks.byteLength; offset += 64) {
    for (let i = 0; i < 16; i++) w[i] = blocks.getInt32(offset + 4 * i)
    compress(state, w)
  }
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, i) => {
    digest.setInt32(4 * i, word)
  })
  return new Uint8Array(digest.buffer)
}

/** The message, a one bit, zeros, and its length in bits: whole blocks of 64 bytes. */
function padded(message: Uint8Array): DataView {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64)
  bytes.set(message)
  bytes[message.length] = 0x80
  const blocks = new DataView(bytes.buffer)
  blocks.setUint32(bytes.length - 8, Math.floor(message.length / 2 ** 29))
  blocks.setUint32(bytes.length - 4, message.length << 3)
  return blocks
}

/** One block: its sixteen words are the first of `w`, and are mixed into `state`. */
function compress(state: Int32Array, w: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number
    const y = w[i - 2] as number
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10)
    w[i] = (w[i - 16] as number) + s0 + (w[i - 7] as number) + s1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] as number) + (w[i] as number)) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const mixed: Eight = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] = (state[i] as number) + (mixed[i] as number)
}

type Eight = [number, number, number, number, number, number, number, number]

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}
