import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Child } from './command.ts'

const SECONDS = 60

/** A server that was started, and what is known of it. */
export interface Started {
  child: Child
  /** Where it is to listen. */
  port: number
  /** Whether it says where, once it does. */
  printsAddress: boolean
}

/**
 * Asks a server what it is for, at the address that it prints (with the key and the body of a `curl -u … -d`) or else at its
 * root, and tells it to stop. Rejects where it does not listen, answer, or stop, with what it said.
 */
export async function askServer({ child, port, printsAddress }: Started): Promise<void> {
  let [stdout, said] = ['', '']
  child.stdout.on('data', text => {
    stdout += text
    said += text
  })
  child.stderr.on('data', text => {
    said += text
  })
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const address = /https?:\/\/\S+/
  try {
    await until(async () => isOver() || (await listens(port)), 'listens to nobody')
    if (printsAddress) await until(() => isOver() || address.test(stdout), 'prints no address')
    if (isOver()) throw new Error(`ended with ${child.exitCode ?? child.signalCode}`)
    const [url] = address.exec(stdout) ?? []
    const [, apiKey] = /curl -u (\w+):/.exec(stdout) ?? []
    const headers: Record<string, string> = apiKey ? { Authorization: `Basic ${btoa(`${apiKey}:`)}` } : {}
    const [, body] = / -d '(.*)'/.exec(stdout) ?? []
    const request: RequestInit = body === undefined ? { headers } : { method: 'POST', body, headers }
    const { status } = await fetch(url ?? `http://localhost:${port}/`, request)
    if (url === undefined ? status >= 500 : status !== 200) throw new Error(`answers ${status}`)
    child.kill('SIGTERM')
    await until(isOver, 'does not stop on SIGTERM')
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${said}`)
  } finally {
    if (!isOver()) {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
  }
}

async function until(holds: () => boolean | Promise<boolean>, otherwise: string): Promise<void> {
  const end = Date.now() + SECONDS * 1000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${otherwise}, for ${SECONDS} s`)
    await setTimeout(50)
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, 'localhost', () => {
      socket.destroy()
      resolve(true)
    }).once('error', () => resolve(false))
  })
}
