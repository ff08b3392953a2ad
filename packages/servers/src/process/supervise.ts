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
  /** Deleted, with whatever still runs in it, if the process that started the server is gone first. */
  folder: string
  uid?: number | undefined
  gid?: number | undefined
}

/**
 * Its input ends when the process that holds the other end does, in whatever way. A server whose folder goes with it
 * needs no good order: QUIT is the quickest end, and KILL is for one that hangs.
 */
const SCRIPT = `
exec 3<&0
trap orphaned=yes USR1
"$@" >&2 3<&- &
server=$!
echo $server
(
  cat <&3
  kill -USR1 $$
) >/dev/null 2>&1 &
watcher=$!
wait $server
if [ -z "$orphaned" ]; then
  kill $watcher
  exit
fi
exec 2>/dev/null
kill -QUIT $server
(
  sleep 5
  kill -KILL $server
) &
killer=$!
wait $server
kill $killer
tries=0
until rm -rf "$FOLDER" || [ $((tries += 1)) -gt 1000 ]; do sleep 0.1; done
`

/** How much is kept of what a server says. */
const LAST_WORDS = 4000

/** Starts a server so that it does not outlive this process, even one that is killed. Rejects where it cannot be started. */
export async function supervise(
  [...command]: string[],
  { folder, uid, gid }: Supervision,
): Promise<Supervised> {
  const shell = spawn('sh', ['-c', SCRIPT, 'sh', ...command], {
    cwd: folder,
    env: { ...process.env, LC_ALL: 'C', FOLDER: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C is for this process: the server ends after it.
    detached: true,
    uid,
    gid,
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
