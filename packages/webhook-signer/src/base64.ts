const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Base64 (RFC 4648, 4) in nothing but ECMAScript. */
export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const [a, b, c] = [bytes[i] as number, bytes[i + 1], bytes[i + 2]]
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0)
    text += DIGITS.charAt(bits >> 18) + DIGITS.charAt((bits >> 12) & 63)
    text +=
      (b === undefined ? '=' : DIGITS.charAt((bits >> 6) & 63)) +
      (c === undefined ? '=' : DIGITS.charAt(bits & 63))
  }
  return text
}
