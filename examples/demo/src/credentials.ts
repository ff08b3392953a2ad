import { readFile, writeFile } from 'node:fs/promises'
import type { Till } from '@tillkit/till'
import { SHOPS } from './shops.ts'

/** What a merchant was given once and keeps: Tillkit itself keeps neither in a form that could be shown again. */
export interface Credentials {
  apiKey: string
  webhookKey: string
}

/** Where the demo's merchants keep their keys, so that they go on working after a restart. */
export function credentialsFile(data: string): string {
  return `${data}.merchants.json`
}

/** Each shop's keys: those of the file where they are still good, new ones where they are not. */
export async function loadCredentials(till: Till, file: string): Promise<Map<string, Credentials>> {
  const kept = await readKept(file)
  const credentials = new Map<string, Credentials>()
  for (const { id } of SHOPS) {
    const known = kept[id]
    const good = known !== undefined && (await till.authenticate(known.apiKey))?.id === id
    credentials.set(id, good ? known : await issue(till, id))
  }
  await writeFile(file, `${JSON.stringify(Object.fromEntries(credentials), null, 2)}\n`, { mode: 0o600 })
  return credentials
}

async function issue(till: Till, id: string): Promise<Credentials> {
  const { apiKey } = await till.apiKeys.issue(id, { label: 'demo' })
  return { apiKey, webhookKey: await till.merchants.issueWebhookKey(id) }
}

async function readKept(file: string): Promise<Record<string, Credentials>> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return {}
  }
}
