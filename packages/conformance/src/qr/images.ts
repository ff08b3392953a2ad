import type { Answer } from '../network/answer.ts'
import { shown } from '../rules/kinds.ts'
import { NotTried } from '../session/not-tried.ts'
import type { Session } from '../session/session.ts'
import { geometryProblems } from './geometry.ts'
import { type Code, readCode, readPng } from './read-code.ts'
import { drawSvg, sizeOfSvg } from './read-svg.ts'

/** What is known of where the QR codes are. */
export interface Codes {
  /** A code of the merchant. */
  scanCode: string
  /** What a code carries before `/qr/`: learned from the first image where it was not given. */
  encodedBase: string | null
}

/** Asks for an image. */
export function ask(session: Session, path: string, query?: string): Promise<Answer> {
  return session.ask({ place: 'qr', path, ...(query !== undefined && { query }) })
}

/** Throws `NotTried` where a provider takes signed URLs only: an answer says so. */
export function needsNoSignature(answer: Answer): void {
  if (answer.status === 400 && answer.text.includes('scan_code_signature')) {
    throw new NotTried('the provider signs its payment URLs, and takes no others')
  }
}

/** Holds an image against its size and what it should carry. `size` is what it was asked to be. */
export async function checkImage(
  session: Session,
  codes: Codes,
  answer: Answer,
  size: number,
  query: string,
) {
  needsNoSignature(answer)
  const isPng = answer.question.path.endsWith('.png')
  const tooSmall = isPng && answer.status === 400 && /\d/.test(answer.text) && size < 100
  if (tooSmall) return session.skip(`a code of this URL has no room in ${size} pixels`)
  if (!session.expectStatus(answer, 200, 'for an image')) return
  const type = answer.header('content-type')
  const wanted = isPng ? 'image/png' : 'image/svg+xml'
  if (type?.split(';')[0] !== wanted)
    session.differ(`Content-Type should be ${wanted}, and is ${shown(type)}`, answer)
  const code = isPng ? readOfPng(session, answer, size) : await readOfSvg(session, answer, size)
  if (code === null) return
  const { encodedBase, scanCode } = codes
  const address = `/qr/${scanCode}${query === '' ? '' : `?${query}`}`
  if (encodedBase === null) {
    if (!code.content.endsWith(address))
      session.differ(`the code should end in ${address}, and is ${code.content}`, answer)
    else codes.encodedBase = code.content.slice(0, -address.length)
  } else if (code.content !== encodedBase + address) {
    session.differ(`the code should carry ${encodedBase}${address}, and carries ${code.content}`, answer)
  }
}

function readOfPng(session: Session, answer: Answer, size: number): Code | null {
  const picture = readPng(answer.bytes)
  if (picture === null) return differs(session, answer, 'it is no PNG')
  if (picture.width !== size || picture.height !== size) {
    session.differ(
      `it should be ${size} pixels wide and high, and is ${picture.width} by ${picture.height}`,
      answer,
    )
  }
  const code = readCode(picture)
  if (code === null) return differs(session, answer, 'no QR code can be read in it')
  for (const problem of geometryProblems(picture, code.side)) session.differ(problem, answer)
  return code
}

async function readOfSvg(session: Session, answer: Answer, size: number): Promise<Code | null> {
  const { width, height } = sizeOfSvg(answer.text)
  if (width !== String(size) || height !== String(size)) {
    session.differ(`width and height should be ${size}, and are ${width} and ${height}`, answer)
  }
  // Large enough that each module is some pixels wide, whatever it was asked to be.
  const picture = await drawSvg(answer.text, 800)
  if (picture === null) return differs(session, answer, 'it is no SVG that can be drawn')
  return readCode(picture) ?? differs(session, answer, 'no QR code can be read in it')
}

function differs(session: Session, answer: Answer, what: string): null {
  session.differ(what, answer)
  return null
}
