import { expect, test } from 'vitest'
import { stepsOf } from '../src/readme.ts'

const fence = (language: string, ...lines: string[]) =>
  ['```', language, '\n', ...lines.map(line => `${line}\n`), '```\n'].join('')

test('what to install and the programs are found, in their order', () => {
  const readme = [
    fence('', 'npm install @tillkit/till pg     # or mysql2', 'npm install --save-dev @types/pg'),
    fence('ts', "import { createTill } from '@tillkit/till'", 'createTill()'),
    fence('js', 'import {', '  createTill,', "} from '@tillkit/till'"),
    fence(
      'ts',
      "import { storageConformance } from '@tillkit/storage/conformance'",
      "import { test } from 'vitest'",
    ),
  ].join('\nSome words.\n\n')
  expect(stepsOf(readme)).toEqual([
    { install: ['@tillkit/till', 'pg'] },
    { install: ['--save-dev', '@types/pg'] },
    { program: expect.objectContaining({ name: 'program 1', language: 'ts', isTest: false }) },
    { program: expect.objectContaining({ name: 'program 2', language: 'js', isTest: false }) },
    { program: expect.objectContaining({ name: 'program 3', isTest: true }) },
  ])
})

test('parts of programs are left out: they import nothing of ours, or what is not there', () => {
  const readme = [
    fence('js', 'await till.payments.complete(payment)'),
    fence('js', "import { Webhook } from 'standardwebhooks'"),
    fence('ts', "import { merchantApi } from '@tillkit/http'", "import { serve } from './host.ts'"),
    fence('', 'npm ci && npm test'),
  ].join('\n')
  expect(stepsOf(readme)).toEqual([])
})
