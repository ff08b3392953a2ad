import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A running server and the shell that looks after it. */
export interface Supervised {
  /** Of the server itself. */
  pid: number
  /** Resolves when it is gone, with the last of what it said. */
  gone: Promise<string>
}

export interface Supervision {
  /** The signal that ends the server in good order. */
  signal: 'INT' | 'TERM'
  /** Deleted once the server is gone, if whoever started it is gone too. */
  folder: string
  uid?: number | undefined
  gid?: number | undefined
}

/** Its input ends when the process that holds the other end does, in whatever way: then the server ends too. */
const SCRIPT = `
exec 3<&0
"$@" >&2 3<&- &
server=$!
echo $server
(
  cat <&3 >/dev/null
  : >"$FOLDER/orphaned"
  kill -"$SIGNAL" $server
) >/dev/null 2>&1 &
watcher=$!
wait $server
if [ -e "$FOLDER/orphaned" ]; then rm -rf "$FOLDER"; else kill $watcher; fi
`

/** How much is kept of what a server says. */
const LAST_WORDS = 4000

/** Starts a server so that it does not outlive this process, even one that is killed. Rejects where it cannot be started. */
export async function supervise(
  [...command]: string[],
  { signal, folder, ...user }: Supervision,
): Promise<Supervised> {
  const shell = spawn('sh', ['-c', SCRIPT, 'sh', ...command], {
    cwd: folder,
    env: { ...process.env, LC_ALL: 'C', SIGNAL: signal, FOLDER: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C is for this process: the server ends after it.
    detached: true,
    ...user,
  })
  let words = ''
  shell.stderr.setEncoding('utf8').on('data', text => {
    words = (words + text).slice(-LAST_WORDS)
  })
  shell.stdin.on('error', () => {})
  const gone = once(shell, 'close').then(() => {
    shell.stdin.destroy()
    return words.trim()
  })
  // A shell that cannot be started says so here, and that it is gone as well.
  gone.catch(() => {})
  const [line] = await once(shell.stdout.setEncoding('utf8'), 'data')
  for (const handle of [shell, shell.stdin, shell.stdout, shell.stderr]) (handle as typeof shell).unref()
  return { pid: Number(line), gone }
}
