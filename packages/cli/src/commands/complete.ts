import type { CommandSpec } from '../program/command-spec.ts'
import { UsageError } from '../program/usage-error.ts'

/** For the help alone: `run` has `@bomb.sh/tab` put its own command in this one's place when it is called. */
export const complete: CommandSpec = {
  name: 'complete',
  about: 'Prints a script that completes commands and flags in your shell: bash, zsh, fish or powershell.',
  args: [['[shell]', 'which shell']],
  examples: [
    ['source <(tillkit complete bash)', 'in ~/.bashrc; zsh alike, in ~/.zshrc'],
    ['tillkit complete fish > ~/.config/fish/completions/tillkit.fish', 'for fish'],
  ],
  silent: true,
  run: async () => {
    throw new UsageError('tillkit complete needs a shell: bash, zsh, fish or powershell')
  },
}
