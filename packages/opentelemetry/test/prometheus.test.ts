import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type OwnServer, ownPrometheus } from '@tillkit/servers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { everything } from './everything.ts'
import { exposition } from './exposition.ts'
import { alerts, queries } from './queries.ts'
import { sdk } from './sdk.ts'
import { openShop } from './shop.ts'

const RULES = join(import.meta.dirname, '../alerts/tillkit.rules.yaml')
const CASES = join(import.meta.dirname, 'alerts.yaml')

const installed = ['prometheus', 'promtool'].every(program => spawnSync(program, ['--version']).status === 0)
const title = installed ? 'Prometheus' : 'Prometheus, which is not installed'

describe.skipIf(!installed)(title, () => {
  const promtool = async (...words: string[]) => {
    const { stdout, stderr } = await promisify(execFile)('promtool', words)
    return `${stdout}${stderr}`
  }

  test('takes the rules', async () => {
    expect(await promtool('check', 'rules', '--lint-fatal', RULES)).toContain(
      `SUCCESS: ${alerts().length} rules found`,
    )
  })

  test('wakes somebody when each alert should, and nobody before', async () => {
    expect(await promtool('test', 'rules', CASES)).toContain('SUCCESS')
  })

  test('every alert is tried, both ways', async () => {
    const { tests } = parse(await readFile(CASES, 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts?: object[] }[] }[]
    }
    const tried = tests.flatMap(one => one.alert_rule_test)
    for (const { alert } of alerts()) {
      const ways = tried
        .filter(({ alertname }) => alertname === alert)
        .map(({ exp_alerts = [] }) => exp_alerts.length > 0)
      expect([alert, new Set(ways)]).toEqual([alert, new Set([true, false])])
    }
  })

  describe('asked what the dashboard asks, after a process that sent everything', () => {
    let server: OwnServer

    beforeAll(async () => {
      const shop = await openShop()
      const it = sdk({ till: shop.till })
      const now = Math.floor(Date.now() / 1000)
      const collections = []
      for (const at of [now - 120, now - 60]) {
        await everything(shop)
        collections.push({ at, metrics: await it.metrics() })
      }
      it.disable()
      await shop.close()
      server = await ownPrometheus({
        samples: exposition(collections),
        rules: await readFile(RULES, 'utf8'),
      })
    }, 180_000)
    afterAll(async () => {
      await server?.remove()
    })

    const ask = async (path: string) => {
      const answer = await fetch(`${server.url}/api/v1/${path}`)
      const { data, error } = (await answer.json()) as { data?: Record<string, unknown[]>; error?: string }
      if (data === undefined) throw new Error(error)
      return data
    }

    const ofPanels = queries().filter(({ of }) => of.startsWith('panel'))

    test.each(ofPanels)('$of: $text', async ({ text }) => {
      const { result = [] } = await ask(`query?query=${encodeURIComponent(text)}`)
      const values = result.map(one => Number((one as { value: [number, string] }).value[1]))
      expect(values.length).toBeGreaterThan(0)
      expect(values.filter(Number.isNaN)).toEqual([])
    })

    test('its rules are those of the file, and each could be asked', async () => {
      const { groups = [] } = await ask('rules')
      const rules = (groups as { rules: { name: string; health: string; lastError?: string }[] }[]).flatMap(
        group => group.rules,
      )
      expect(rules.map(({ name }) => name)).toEqual(alerts().map(({ alert }) => alert))
      expect(rules.filter(({ health }) => health === 'err')).toEqual([])
    })
  })
})
