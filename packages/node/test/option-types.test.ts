import { type HttpHandler, json } from '@tillkit/http'
import { type NodeListener, toNode } from '@tillkit/node'
import { expectTypeOf, test } from 'vitest'

const handler: HttpHandler = async () => json(200, {})

/** Compiled, never run: `tsc` fails where one of these lines does not. */
function wrong() {
  // @ts-expect-error a handler is a function
  toNode({ '/v1': 'api' })
  // @ts-expect-error its answer is a response
  toNode(async () => 'text')
  // @ts-expect-error a name that is none
  toNode(handler, { trustproxy: true })
  // @ts-expect-error addresses are text
  toNode(handler, { trustProxy: [5] })
  // @ts-expect-error a logger has error
  toNode(handler, { logger: {} })
}

test('wrong options do not compile', () => {
  expectTypeOf(wrong).toBeFunction()
  expectTypeOf(toNode(handler, { trustProxy: 'loopback', logger: console })).toEqualTypeOf<NodeListener>()
})
