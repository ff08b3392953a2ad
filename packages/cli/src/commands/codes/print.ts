import { writeFile } from 'node:fs/promises'
import type { PaymentUrlOptions } from '@tillkit/qr'
import type { ScanCode, Till } from '@tillkit/till'
import type { QRCodeToStringOptions } from 'qrcode'
import { hasColours } from '../../output/printer.ts'
import { write } from '../../output/write.ts'
import type { TillJob } from '../../program/command-spec.ts'
import { Refused, UsageError } from '../../program/usage-error.ts'
import { onTill } from '../../store/on-till.ts'
import { number } from '../page.ts'

interface PrintFlags {
  merchant?: string
  as?: string
  out?: string
  size?: string
  id?: string
  amount?: string
  strict?: boolean
}

const FORMS = ['terminal', 'svg', 'png', 'sheet'] as const

/** Draws QR codes. */
export const printCodes = onTill<[string[]], PrintFlags>({
  name: 'print',
  about: 'Draws QR codes: in the terminal, as an image, or as a sheet to print and cut.',
  args: [['[codes...]', 'scan codes; none with --merchant']],
  options: [
    ['--merchant <merchant>', 'all codes of this merchant that are not suspended'],
    [
      '--as <form>',
      'terminal, svg, png, or sheet, a page of HTML (default: what --out ends in, else terminal)',
    ],
    ['--out <file>', 'where to; - is stdout'],
    ['--size <pixels>', 'of an image, 50 to 500 (default: 300)'],
    ['--id <reference>', 'the merchant reference that the code carries'],
    ['--amount <cents>', 'the amount that it carries'],
    ['--strict', 'that reference is paid once, and no less'],
  ],
  settings: ['qrBaseUrl'],
  examples: [
    ['tillkit codes print counter --qr-base-url https://pay.example.com', 'in the terminal'],
    ['tillkit codes print counter --out counter.svg', 'an image, with TILLKIT_QR_BASE_URL set'],
    ['tillkit codes print --merchant coffee --out coffee.html', 'a sheet with all codes of coffee'],
  ],
  async run(job, [codes], flags) {
    const { qrBaseUrl } = job.settings
    if (qrBaseUrl === undefined) {
      throw new UsageError(
        'the address that the codes carry is needed: --qr-base-url, or TILLKIT_QR_BASE_URL',
      )
    }
    const { isText, MAX_REFERENCE_LENGTH } = await import('@tillkit/domain')
    if (flags.id !== undefined && !isText(flags.id, MAX_REFERENCE_LENGTH)) {
      throw new UsageError(
        `--id must be text of at most ${MAX_REFERENCE_LENGTH} characters: no payment has another reference`,
      )
    }
    const form = formOf(flags)
    const found = await codesOf(job.till, codes, flags.merchant)
    if (form !== 'sheet' && form !== 'terminal' && found.length > 1) {
      throw new UsageError(
        `--as ${form} draws one code, and these are ${found.length}: --as sheet draws them all`,
      )
    }
    const { paymentUrl } = await import('@tillkit/qr')
    const requiredAmount = number('--amount', flags.amount)
    const parameters: Omit<PaymentUrlOptions, 'scanCode'> = {
      qrBaseUrl,
      ...(flags.id !== undefined && { merchantReference: flags.id }),
      ...(requiredAmount !== undefined && { requiredAmount }),
      ...(flags.strict && { strict: true }),
    }
    const drawn = found.map(code => ({ code, url: paymentUrl({ ...parameters, scanCode: code.code }) }))
    const described = drawn.map(({ code, url }) => ({ ...code, url }))
    if (job.print.json && (flags.out ?? '-') === '-') return job.print.text(described, '')
    await deliver(job, await contents(form, drawn, flags, job), flags.out)
    if (job.print.json) await job.print.text(described, '')
  },
})

interface Drawn {
  code: ScanCode
  url: string
}

function formOf({ as, out }: PrintFlags): (typeof FORMS)[number] {
  if (as !== undefined) {
    const form = FORMS.find(form => form === as)
    if (form === undefined) throw new UsageError(`--as must be one of ${FORMS.join(', ')}, not ${as}`)
    if (form !== 'terminal' && out === undefined)
      throw new UsageError(`--as ${form} needs --out FILE, or --out -`)
    return form
  }
  if (out === undefined || out === '-') return 'terminal'
  const [, ending = ''] = /\.(\w+)$/.exec(out.toLowerCase()) ?? []
  if (ending === 'svg' || ending === 'png') return ending
  if (ending === 'html' || ending === 'htm') return 'sheet'
  throw new UsageError(`--out ${out} ends in no form that is known: .svg, .png or .html, or say it by --as`)
}

async function codesOf(till: Till, codes: string[], merchant: string | undefined): Promise<ScanCode[]> {
  if ((merchant === undefined) === (codes.length === 0)) {
    throw new UsageError('codes are needed, or --merchant, and not both')
  }
  if (merchant !== undefined) {
    const found = (await till.scanCodes.list(merchant)).filter(({ suspendedAt }) => suspendedAt === null)
    if (found.length === 0) throw new Refused(`merchant ${merchant} has no scan code that is not suspended`)
    return found
  }
  return Promise.all(
    codes.map(async code => {
      const found = await till.scanCodes.get(code)
      if (found === null) throw new Refused(`scan code ${code} is unknown`)
      return found
    }),
  )
}

async function contents(
  form: (typeof FORMS)[number],
  drawn: Drawn[],
  flags: PrintFlags,
  { till, around }: TillJob,
): Promise<string | Uint8Array> {
  if (form === 'terminal') {
    // Blocks alone are dark where the terminal is light: colours of its own keep them from being the wrong way round.
    const form = hasColours(around)
      ? ({ type: 'terminal', small: true } as const)
      : ({ type: 'utf8' } as const)
    const blocks = drawn.map(async ({ url }) => `${(await inBlocks(url, form)).trimEnd()}\n${url}\n`)
    return (await Promise.all(blocks)).join('\n')
  }
  if (form === 'sheet') {
    const { sheet } = await import('./sheet.ts')
    const names = new Map<string, string>()
    for (const { code } of drawn) {
      if (!names.has(code.merchantId)) {
        names.set(code.merchantId, (await till.merchants.get(code.merchantId))?.name ?? code.merchantId)
      }
    }
    return sheet(drawn.map(({ code, url }) => ({ code, url, merchant: names.get(code.merchantId) ?? '' })))
  }
  const { qrImage } = await import('@tillkit/qr')
  const size = number('--size', flags.size) ?? 300
  return qrImage(drawn[0]?.url ?? '', { type: form, size })
}

/** What is too long is told in the words of the other forms. */
async function inBlocks(url: string, form: QRCodeToStringOptions): Promise<string> {
  const { default: qrcode } = await import('qrcode')
  return qrcode.toString(url, form).catch(() => {
    throw new UsageError('url is too long for a QR code')
  })
}

async function deliver({ around, print }: TillJob, content: string | Uint8Array, out: string | undefined) {
  if (out === undefined || out === '-') return write(around.stdout, content)
  await writeFile(out, content)
  print.note(`${out} is written`)
}
