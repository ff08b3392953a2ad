import type { ScanCode } from '@tillkit/till'
import type { Printer } from '../../output/printer.ts'
import type { CommandGroup } from '../../program/command-spec.ts'
import { onTill } from '../../store/on-till.ts'
import { printCodes } from './print.ts'

const code = ['<code>', 'the scan code'] as const
const merchant = ['<merchant>', 'the merchant’s id'] as const

const show = (print: Printer, code: ScanCode) =>
  print.one(code, [
    ['code', code.code],
    ['merchant', code.merchantId],
    ['reference', code.reference],
    ['created', code.createdAt],
    ['suspended', code.suspendedAt],
  ])

export const codes: CommandGroup = {
  name: 'codes',
  about: 'What QR codes carry.',
  commands: [
    onTill<[string], { code?: string; reference?: string }>({
      name: 'create',
      about: 'Adds a scan code to a merchant.',
      args: [merchant],
      options: [
        ['--code <code>', '1 to 64 of A-Za-z0-9_- (default: one that nobody can guess)'],
        ['--reference <text>', 'the merchant’s own name for it'],
      ],
      examples: [['tillkit codes create coffee --code counter --reference "Till 1"', 'for the counter']],
      async run({ till, print }, [merchant], { code, reference }) {
        await show(print, await till.scanCodes.create(merchant, { code, reference }))
      },
    }),
    onTill<[string]>({
      name: 'list',
      about: 'Lists the scan codes of a merchant, oldest first.',
      args: [merchant],
      examples: [['tillkit codes list coffee', 'all of them']],
      async run({ till, print }, [merchant]) {
        const found = await till.scanCodes.list(merchant)
        await print.table(found, found, [
          ['code', ({ code }) => code],
          ['reference', ({ reference }) => reference],
          ['created', ({ createdAt }) => createdAt],
          ['suspended', ({ suspendedAt }) => suspendedAt],
        ])
        if (found.length === 0) print.note('there are none')
      },
    }),
    onTill<[string]>({
      name: 'suspend',
      about: 'Suspends a scan code: it takes no payments; the merchant’s others do.',
      args: [code],
      examples: [['tillkit codes suspend counter', 'until it is resumed']],
      run: async ({ till, print }, [code]) => show(print, await till.scanCodes.suspend(code)),
    }),
    onTill<[string]>({
      name: 'resume',
      about: 'Ends that.',
      args: [code],
      examples: [['tillkit codes resume counter', 'takes payments again']],
      run: async ({ till, print }, [code]) => show(print, await till.scanCodes.resume(code)),
    }),
    printCodes,
  ],
}
