import type { BodyPieces, HttpResponse } from '../handler.ts'

/** Whether a body comes in pieces. */
export function inPieces(body: HttpResponse['body']): body is BodyPieces {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

/** Pieces as a stream of bytes, for what speaks `Response`: the next is asked for when the one before was taken. */
export function piecesOf(body: BodyPieces): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  const pieces = body[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else
          controller.enqueue(
            typeof value === 'string' ? encoder.encode(value) : (value as Uint8Array<ArrayBuffer>),
          )
      },
      async cancel() {
        await pieces.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
