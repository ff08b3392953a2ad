/** A step of a README, in the order in which they stand there. */
export type Step = { install: string[] } | { program: Program }

/** A program of a README: whole, so that it can be saved and run. */
export interface Program {
  /** What it is called in a report: `program 2`. */
  name: string
  language: 'ts' | 'js'
  source: string
  /** Whether a test runner runs it. */
  isTest: boolean
}

const FENCE = /^```(\w*)\n(.*?)^```$/gms
const INSTALL = /^npm install (.*?)(?: {2,}#.*)?$/gm

/**
 * What a README tells a stranger to do: the lines `npm install …`, and the programs. A block that imports nothing of Tillkit, or
 * a file that is not there, is a part of a program and is left out.
 */
export function stepsOf(readme: string): Step[] {
  let programs = 0
  return [...readme.matchAll(FENCE)].flatMap(([, language, source = '']): Step[] => {
    if (language !== 'ts' && language !== 'js') {
      return [...source.matchAll(INSTALL)].map(([, words = '']) => ({ install: words.split(' ') }))
    }
    const imported = [...source.matchAll(/^(?:import|\} from)\b.*'(.*)'$/gm)].map(([, name = '']) => name)
    if (!imported.some(name => name.startsWith('@tillkit/'))) return []
    if (imported.some(name => name.startsWith('.'))) return []
    const name = `program ${++programs}`
    return [{ program: { name, language, source, isTest: imported.includes('vitest') } }]
  })
}

/** The programs among the steps of a README. */
export function programsOf(steps: readonly Step[]): Program[] {
  return steps.flatMap(step => ('program' in step ? [step.program] : []))
}
