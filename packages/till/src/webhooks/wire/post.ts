import { type Attempt, isSuccess } from '@tillkit/domain'
import type { Agent } from 'undici'
import type { Clock } from '../../clock/clock.ts'
import { messageOf } from '../../error-message.ts'
import type { WebhookOptions } from '../../options.ts'
import { answerText } from './answer-text.ts'
import { exchange } from './exchange.ts'
import { failureText } from './failure-text.ts'
import type { Resolve } from './names/address.ts'
import { isOutOfFiles } from './out-of-files.ts'
import { parseRetryAfter } from './retry-after.ts'
import type { WebhookRequest } from './webhook-request.ts'

/** What came of a post; `error` is null for a success and else fit to show. */
export interface PostResult extends Pick<Attempt, 'status' | 'error' | 'retryAfter'> {
  /** The first 1 KiB of the answer's body, as text. */
  answer: string | null
}

/** Posts to receivers over connections that it keeps for a while. */
export interface Poster {
  /** One attempt, or the rest of one, with as much time as is left of it. Whatever goes wrong is the result; it rejects only where undici cannot be loaded, or this process may open no connection. */
  post(url: string, request: WebhookRequest, secondsLeft?: number): Promise<PostResult>
  /** Loads what a first post would load; rejects where that cannot be. */
  load(): Promise<unknown>
  /** Drops all connections; the next post opens new ones. */
  close(): Promise<void>
}

/** How long a receiver may take for everything. */
export const DEFAULT_TIMEOUT_SECONDS = 15

/** Where connections may lead, and how long an attempt may take, as `options` say. */
export function createPoster(parts: {
  options: WebhookOptions
  timeoutSeconds: number
  /** No origin gets more connections than this, which is as many attempts as are ever in flight. */
  connections: number
  now: Clock['now']
  resolve?: Resolve | undefined
}): Poster {
  const { options, timeoutSeconds, connections, now, resolve } = parts
  let opened: Promise<Agent> | null = null
  let closing = new AbortController()

  /** undici takes a while to load and much memory, and many a process never sends. */
  const make = async (): Promise<Agent> => {
    const { createAgent } = await import('./agent.ts').catch(cause => {
      opened = null
      throw new Error(`undici cannot be loaded: ${messageOf(cause)}`, { cause })
    })
    return createAgent(options, timeoutSeconds, connections, closing.signal, resolve)
  }
  const open = () => {
    opened ??= make()
    return opened
  }

  const send = async (
    agent: Agent,
    url: URL,
    request: WebhookRequest,
    secondsLeft: number,
  ): Promise<PostResult> => {
    const { origin, pathname, search } = url
    const { status, retryAfter, start, encoding } = await exchange(
      agent,
      { origin, path: pathname + search, method: 'POST', ...request },
      secondsLeft,
    )
    return {
      status,
      error: isSuccess(status) ? null : `answered ${status}`,
      retryAfter: retryAfter === null ? null : parseRetryAfter(retryAfter, await now()),
      answer: answerText(start, encoding),
    }
  }

  return {
    async post(url, request, secondsLeft = timeoutSeconds) {
      const target = URL.canParse(url) ? new URL(url) : null
      if (!target || !/^https?:$/.test(target.protocol)) return failed('webhook URL is not valid')
      if (target.protocol === 'http:' && !options.allowHttp) return failed('webhook URL is not https')
      const agent = await open()
      return send(agent, target, request, secondsLeft).catch(cause => {
        if (isOutOfFiles(cause))
          throw new Error(`this process may open no more files: ${cause.code}`, { cause })
        return failed(failureText(cause, timeoutSeconds))
      })
    },

    load: open,

    async close() {
      const agent = opened
      opened = null
      closing.abort()
      closing = new AbortController()
      await (await agent)?.destroy()
    },
  }
}

/** The result of a post that got no answer. */
export function failed(error: string): PostResult {
  return { status: null, error, retryAfter: null, answer: null }
}
