import { z } from 'zod'

const wholeNumber = (least: number, description: string) => z.int().min(least).describe(description)

const headers = {
  'X-Total': wholeNumber(0, 'Records of the whole query, `offset` not taken off.'),
  'X-Total-Pages': wholeNumber(0, 'Pages after `offset`; 0 where nothing is left.'),
  'X-Page': wholeNumber(1, 'The page that was asked for.'),
  'X-Per-Page': wholeNumber(1, 'How many records a page has.'),
  'X-Offset': wholeNumber(0, 'How many records are skipped before page 1.'),
  'X-Next-Page': wholeNumber(2, 'The next page, where there is one.').optional(),
  'X-Prev-Page': wholeNumber(1, 'The page before, where there is one.').optional(),
  'X-Request-Id': z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,128}$/)
    .describe('Names this request in the log of the provider: keep it with an error.'),
  RateLimit: z
    .string()
    .describe('What is left of the limit, `"key";r=99;t=1`: 99 requests for 1 second.')
    .meta({ examples: ['"key";r=99;t=1'] })
    .optional(),
  'RateLimit-Policy': z
    .string()
    .describe('The limit, `"key";q=100;w=1`: 100 requests in 1 second.')
    .meta({ examples: ['"key";q=100;w=1'] })
    .optional(),
  'Retry-After': wholeNumber(1, 'After how many seconds to ask again.'),
  Allow: z.string().describe('The methods that the path has, with commas between.'),
  'WWW-Authenticate': z.string().describe('How to authenticate: HTTP Basic.'),
  'Cache-Control': z.string().describe('Whether the answer may be kept, and for how long.'),
  ETag: z.string().describe('Names this version of what is answered, for `If-None-Match`.'),
  'Content-Security-Policy': z.string().describe('What a page may load.').optional(),
  'X-Content-Type-Options': z.literal('nosniff').describe('The media type is not to be guessed.').optional(),
  'Referrer-Policy': z.string().describe('What a page tells others of where it is.').optional(),
  Vary: z.literal('Origin').describe('There where only some origins may read the answer.').optional(),
  'Access-Control-Allow-Origin': z
    .string()
    .describe('The origin whose scripts may read the answer: `*` is any.')
    .optional(),
  'Access-Control-Expose-Headers': z
    .string()
    .describe('The headers that scripts of another origin may read.')
    .optional(),
} as const satisfies Record<string, z.ZodType>

/** The name of a header that an answer may have. */
export type AnswerHeader = keyof typeof headers

/** Every header that an answer may have, beside those of its transport, with what it holds. */
export const ANSWER_HEADERS: Readonly<Record<AnswerHeader, z.ZodType>> = headers

const REQUEST_ID = ['X-Request-Id'] as const
const CORS = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'] as const
const LIMITS = ['RateLimit', 'RateLimit-Policy'] as const

/** The headers of every answer of the API. */
export const ON_EACH = ['Cache-Control', ...REQUEST_ID, ...CORS, 'Vary', ...LIMITS] as const

/** The headers of a list (API 4.1). */
export const ON_PAGES = [
  'X-Total',
  'X-Total-Pages',
  'X-Page',
  'X-Per-Page',
  'X-Offset',
  'X-Next-Page',
  'X-Prev-Page',
] as const

/** The headers of an answer with an image, or instead of one. */
export const ON_IMAGES = ['Cache-Control', ...REQUEST_ID, ...CORS, ...LIMITS] as const

/** The headers of an answer with a page, or instead of one. */
export const ON_SCANS = ['Cache-Control', ...REQUEST_ID, ...LIMITS] as const
