import type { Merchant } from '@tillkit/till'
import type { Printer } from '../output/printer.ts'
import type { CommandGroup, OptionText } from '../program/command-spec.ts'
import { Refused, UsageError } from '../program/usage-error.ts'
import { onTill } from '../store/on-till.ts'
import { number } from './page.ts'

const merchant = ['<merchant>', 'the merchant’s id'] as const

const FEATURES: readonly OptionText[] = [
  ['--tips', 'payments record tips'],
  ['--user-references', 'payments record what the customer entered'],
  ['--device-lists', 'lists of payments show devices in place of vouchers'],
]

interface Features {
  tips?: boolean
  userReferences?: boolean
  deviceLists?: boolean
}

const featuresOf = ({ tips, userReferences, deviceLists }: Features) => ({
  tips,
  userReferences,
  deviceLists,
})

const show = (print: Printer, merchant: Merchant) =>
  print.one(merchant, [
    ['id', merchant.id],
    ['name', merchant.name],
    ['webhook URL', merchant.webhookUrl],
    ['tips', merchant.features.tips],
    ['user references', merchant.features.userReferences],
    ['device lists', merchant.features.deviceLists],
    ['created', merchant.createdAt],
    ['suspended', merchant.suspendedAt],
  ])

export const merchants: CommandGroup = {
  name: 'merchants',
  about: 'Who is paid.',
  commands: [
    onTill<[], { after?: string; limit?: string }>({
      name: 'list',
      about: 'Lists merchants by their ids.',
      options: [
        ['--after <merchant>', 'those whose ids come after this one'],
        ['--limit <number>', 'how many at most, up to 1000 (default: 100)'],
      ],
      examples: [
        ['tillkit merchants list', 'the first hundred'],
        ['tillkit merchants list --after coffee', 'those after coffee'],
      ],
      async run({ till, print }, _, flags) {
        const limit = number('--limit', flags.limit) ?? 100
        const found = await till.merchants.list({ after: flags.after, limit })
        await print.table(found, found, [
          ['id', ({ id }) => id],
          ['name', ({ name }) => name],
          ['webhook URL', ({ webhookUrl }) => webhookUrl],
          ['created', ({ createdAt }) => createdAt],
          ['suspended', ({ suspendedAt }) => suspendedAt],
        ])
        const last = found.at(-1)
        if (last === undefined) print.note('there are none')
        else if (found.length === limit) print.note(`there may be more: --after ${last.id}`)
      },
    }),
    onTill<[string], Features & { id?: string; webhookUrl?: string }>({
      name: 'add',
      about: 'Adds a merchant.',
      args: [['<name>', 'what customers see on the page they pay on']],
      options: [
        ['--id <id>', 'your own id for it, 1 to 64 of A-Za-z0-9_.:- (default: made up)'],
        ['--webhook-url <url>', 'where outcomes of payments are posted'],
        ...FEATURES,
      ],
      settings: ['webhookHttp'],
      examples: [['tillkit merchants add "Corner Coffee" --id coffee --tips', 'one whose customers may tip']],
      async run({ till, print }, [name], { id, webhookUrl, ...features }) {
        await show(
          print,
          await till.merchants.create({ id, name, webhookUrl, features: featuresOf(features) }),
        )
      },
    }),
    onTill<[string]>({
      name: 'show',
      about: 'Shows a merchant.',
      args: [merchant],
      examples: [['tillkit merchants show coffee', 'as it is now']],
      async run({ till, print }, [id]) {
        const found = await till.merchants.get(id)
        if (found === null) throw new Refused(`merchant ${id} is unknown`)
        await show(print, found)
      },
    }),
    onTill<[string], Features & { name?: string; webhookUrl?: string | false }>({
      name: 'change',
      about: 'Changes what the flags name.',
      args: [merchant],
      options: [
        ['--name <name>', 'what customers see on the page they pay on'],
        ['--webhook-url <url>', 'where outcomes of payments are posted'],
        ['--no-webhook-url', 'nowhere any more'],
        ...FEATURES.flatMap(([flag, help]): OptionText[] => [
          [flag, help],
          [flag.replace('--', '--no-'), 'not any more'],
        ]),
      ],
      settings: ['webhookHttp'],
      examples: [
        ['tillkit merchants change coffee --webhook-url https://coffee.example/paid', 'where webhooks go'],
        ['tillkit merchants change coffee --no-tips', 'what was recorded stays'],
      ],
      async run({ till, print }, [id], { name, webhookUrl, ...flags }) {
        const features = featuresOf(flags)
        const given = [name, webhookUrl, ...Object.values(features)]
        if (given.every(value => value === undefined)) throw new UsageError('nothing to change was given')
        const url = webhookUrl === false ? null : webhookUrl
        await show(print, await till.merchants.update(id, { name, webhookUrl: url, features }))
      },
    }),
    onTill<[string]>({
      name: 'suspend',
      about: 'Suspends a merchant: its keys get 403 and its codes take no payments; all else goes on.',
      args: [merchant],
      examples: [['tillkit merchants suspend coffee', 'until it is resumed']],
      run: async ({ till, print }, [id]) => show(print, await till.merchants.suspend(id)),
    }),
    onTill<[string]>({
      name: 'resume',
      about: 'Ends that.',
      args: [merchant],
      examples: [['tillkit merchants resume coffee', 'takes payments again']],
      run: async ({ till, print }, [id]) => show(print, await till.merchants.resume(id)),
    }),
    onTill<[string], { overlapSeconds?: string }>({
      name: 'webhook-key',
      about: 'Makes, or replaces, the key that signs a merchant’s webhooks, and prints it, once.',
      args: [merchant],
      options: [
        ['--overlap-seconds <number>', 'for how long the key before signs as well (default: not at all)'],
      ],
      examples: [['tillkit merchants webhook-key coffee --overlap-seconds 604800', 'both sign for a week']],
      notes: 'The key goes to stdout, and is not shown again.',
      async run({ till, print }, [id], flags) {
        const overlapSeconds = number('--overlap-seconds', flags.overlapSeconds)
        const webhookKey = await till.merchants.issueWebhookKey(id, { overlapSeconds })
        await print.text({ webhookKey }, webhookKey)
        print.note('nobody can show this key again')
      },
    }),
  ],
}
