import type { Rule } from '../session/rule.ts'
import { isImage, isJson, isOfApi, isPreflight, shown } from './kinds.ts'

/** API 1.1: what JSON answers look like. */
export const form: readonly Rule[] = [
  {
    name: 'json',
    section: '1.1',
    title: 'JSON in UTF-8, without white space between its parts',
    applies: isJson,
    look(answer, differ) {
      const type = answer.header('content-type')
      if (!/^application\/json; ?charset="?utf-8"?$/i.test(type ?? '')) {
        differ(`Content-Type should be application/json; charset=utf-8, and is ${shown(type)}`)
      }
      try {
        new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(answer.bytes)
      } catch {
        differ('the body is no UTF-8')
      }
      if (answer.bytes[0] === 0xef && answer.bytes[1] === 0xbb)
        differ('a byte order mark stands before the JSON')
      if (answer.json === undefined) differ(`the body is no JSON: ${shown(answer.text.slice(0, 80))}`)
      else if (/\s/.test(answer.text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'))) {
        differ('there is white space between the parts of the JSON')
      }
    },
  },
  {
    name: 'content-length',
    section: '1.1',
    title: 'Content-Length is that of the body',
    applies: answer =>
      (isJson(answer) || isImage(answer)) && answer.question.method !== 'HEAD' && answer.status !== 304,
    look(answer, differ) {
      const length = answer.header('content-length')
      if (length !== String(answer.bytes.length)) {
        differ(`Content-Length should be ${answer.bytes.length}, and is ${shown(length)}`)
      }
      if (answer.header('transfer-encoding') !== null)
        differ('Transfer-Encoding is there, in place of a length')
    },
  },
  {
    name: 'no-store',
    section: '1.1',
    title: 'Cache-Control: no-store',
    applies: answer =>
      isOfApi(answer) && !isPreflight(answer) && answer.status !== 414 && answer.status !== 431,
    look(answer, differ) {
      const control = answer.header('cache-control')
      if (!/(^|,)\s*no-store\s*(,|$)/i.test(control ?? '')) {
        differ(`Cache-Control should be no-store, and is ${shown(control)}`)
      }
    },
  },
  {
    name: 'head-without-body',
    section: '1.1',
    title: 'nothing follows the head of an answer to HEAD',
    applies: ({ question }) => question.method === 'HEAD',
    look(answer, differ) {
      if (answer.bytes.length > 0) differ(`${answer.bytes.length} bytes follow the head of an answer to HEAD`)
    },
  },
  {
    name: 'no-cookies',
    section: '1.2',
    title: 'cookies are never used',
    applies: isOfApi,
    look(answer, differ) {
      if (answer.header('set-cookie') !== null) differ('Set-Cookie is there')
      if (answer.header('access-control-allow-credentials') !== null) {
        differ('Access-Control-Allow-Credentials is there')
      }
    },
  },
]
