import type { Answer } from '../network/answer.ts'

/** Something that each answer is held to. */
export interface Rule {
  name: string
  section: string
  title: string
  /** Whether it says anything of such an answer. */
  applies(answer: Answer): boolean
  /** Says what differs. */
  look(answer: Answer, differ: (what: string) => void): void
}
