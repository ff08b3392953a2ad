import type { z } from 'zod'
import type { ErrorCode } from '../response/json.ts'
import type { AnswerHeader } from './answer-headers.ts'

/** One body that an answer may have. */
export interface AnswerBody {
  /** Its media type, without parameters. */
  mediaType: string
  /** What it is made of; null for what is no JSON. */
  schema: z.ZodType | null
  /** A true one. */
  example?: unknown
}

/** What a route answers with one status. */
export interface Answer {
  /** The HTTP status. */
  status: number
  /** What it says. */
  description: string
  /** The bodies that it may have beside an error object; none where it never has one. */
  bodies?: readonly AnswerBody[]
  /** Where its body is an error object: the codes that it may have, each with a message that it has. */
  codes?: Readonly<Partial<Record<ErrorCode, string>>>
  /** The headers that it may have. */
  headers: readonly AnswerHeader[]
}

/** What a route takes and answers, for people and for programs to read. What it serves with is part of it. */
export interface RouteDescription {
  /** `GET` answers `HEAD` as well. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the mount; `{…}` stands for one segment, or a part of one. */
  path: string
  /** Names it among all others: `listPayments`. */
  operationId: string
  /** A few words. */
  summary: string
  /** Sentences, as Markdown. */
  description: string
  /** The heading that it stands under. */
  tag: string
  /** What stands below the heading; of several routes the first that says it. */
  tagDescription?: string
  /** Whether it takes no key. */
  open?: boolean
  /** What stands in the path, by its name there. */
  parameters?: z.ZodObject
  /** Its query parameters, by their names. */
  query?: z.ZodObject
  /** Whether query parameters of other names have a meaning too. */
  otherParameters?: string
  /** The headers that it reads beside those that every request may have. */
  headers?: z.ZodObject
  /** What its JSON body holds. It may be left out where an empty object is taken. */
  body?: z.ZodType
  /** Whose fields its body has, where a vocabulary has words for them. */
  bodyOf?: 'payment'
  /** All that it answers. */
  answers: readonly Answer[]
}
