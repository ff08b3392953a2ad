import { TillError } from '@tillkit/domain'
import { MAX_BODY_BYTES } from './handler.ts'

/** Gathers a body from its pieces, up to `MAX_BODY_BYTES`. */
export class BodyBuffer {
  #pieces: Uint8Array[] = []
  #size = 0

  /** Throws `TillError` `invalid_input` where a piece makes the body too large. */
  add(piece: Uint8Array): void {
    this.#size += piece.length
    if (this.#size > MAX_BODY_BYTES) {
      throw new TillError('invalid_input', `the body must not be larger than ${MAX_BODY_BYTES} bytes`)
    }
    this.#pieces.push(piece)
  }

  bytes(): Uint8Array {
    const whole = new Uint8Array(this.#size)
    let at = 0
    for (const piece of this.#pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    return whole
  }
}
