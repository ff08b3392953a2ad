import type { CommandGroup } from '../program/command-spec.ts'
import { onTill } from '../store/on-till.ts'
import { number } from './page.ts'

const merchant = ['<merchant>', 'the merchant’s id'] as const

export const keys: CommandGroup = {
  name: 'keys',
  about: 'The API keys of merchants.',
  commands: [
    onTill<[string], { label?: string; expiresAt?: string; expiresInSeconds?: string }>({
      name: 'issue',
      about: 'Issues an API key beside those that are live, and prints it, once.',
      args: [merchant],
      options: [
        ['--label <text>', 'a name for lists of keys'],
        ['--expires-at <date>', 'from when on it is as good as none: 2027-01-01T00:00:00Z'],
        ['--expires-in-seconds <number>', 'the same, from now on'],
      ],
      examples: [
        ['tillkit keys issue coffee --label "till 3"', 'a key that does not expire'],
        ['key=$(tillkit keys issue coffee)', 'only the key goes to stdout'],
      ],
      notes:
        'The key goes to stdout, its id to stderr; the key is not shown again. With --json both are on stdout.',
      async run({ till, print }, [id], { label, expiresAt, ...flags }) {
        const expiresInSeconds = number('--expires-in-seconds', flags.expiresInSeconds)
        const issued = await till.apiKeys.issue(id, { label, expiresAt, expiresInSeconds })
        await print.text(issued, issued.apiKey)
        print.note(`nobody can show this key again; its id is ${issued.id}`)
      },
    }),
    onTill<[string]>({
      name: 'list',
      about: 'Lists the keys of a merchant that were not revoked, oldest first.',
      args: [merchant],
      examples: [['tillkit keys list coffee', 'their ids and labels; the keys themselves are not kept']],
      async run({ till, print }, [id]) {
        const found = await till.apiKeys.list(id)
        await print.table(found, found, [
          ['id', ({ id }) => id],
          ['label', ({ label }) => label],
          ['created', ({ createdAt }) => createdAt],
          ['expires', ({ expiresAt }) => expiresAt],
        ])
        if (found.length === 0) print.note('there are none')
      },
    }),
    onTill<[string, string]>({
      name: 'revoke',
      about: 'Ends a key: within seconds nobody is authenticated by it.',
      args: [merchant, ['<id>', 'the key’s id, key_…, as keys list has it; not the key']],
      examples: [['tillkit keys revoke coffee key_9fK2mVx0QwLr7TzB', 'its others go on']],
      async run({ till, print }, [merchant, id]) {
        await till.apiKeys.revoke(merchant, id)
        await print.text({ id, revoked: true }, `${id} is revoked`)
      },
    }),
  ],
}
