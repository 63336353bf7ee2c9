/** `mergeyard completion`: prints what makes a shell complete commands and options. */

import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { BadLines } from '../../server/terminal/bad-input.ts'
import { commandOf, exitCodes } from '../../server/terminal/command.ts'
import type { CliContext, ListedCommand, Main } from '../../server/terminal/command.ts'
import { writeAll } from '../../server/terminal/output.ts'

/** What can follow each command: its options, or the commands of a group. By the words before, the longest first. */
type Words = readonly (readonly [command: string, words: readonly string[]])[]

const shells: Readonly<Record<string, (words: Words) => string>> = {
  bash: (words) => `_mergeyard() {
  local words=""
${casesOf('${COMP_WORDS[*]:1:COMP_CWORD-1}', words)}
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _mergeyard mergeyard
`,
  zsh: (words) => `#compdef mergeyard
_mergeyard() {
  local line="\${words[2,CURRENT-1]}" words=""
${casesOf('$line', words)}
  compadd -- \${=words} || _files
}
compdef _mergeyard mergeyard
`,
  fish: (words) => `function __mergeyard_words
  switch (string join ' ' -- (commandline -opc)[2..])
${words.map(([command, after]) => `    case '${command}'${command === '' ? '' : ` '${command} *'`}\n      printf '%s\\n' ${after.join(' ')}\n`).join('')}  end
end
complete -c mergeyard -a '(__mergeyard_words)'
`,
}

function casesOf(line: string, words: Words): string {
  const cases = words.map(([command, after]) => {
    const pattern = command === '' ? '""' : `"${command}"|"${command} "*`
    return `    ${pattern}) words="${after.join(' ')}" ;;\n`
  })
  return `  case "${line}" in\n${cases.join('')}  esac`
}

/** The words come from the help of each command, as commander writes it. */
export function completionCommand(commands: Readonly<Record<string, ListedCommand>>): Main {
  const usage = {
    command: 'completion',
    about: `Print what makes a shell complete the commands and options of mergeyard.

  source <(mergeyard completion bash)                             in ~/.bashrc; the same for zsh
  mergeyard completion fish > ~/.config/fish/completions/mergeyard.fish`,
    operands: [`<${Object.keys(shells).join('|')}>`],
    table: {},
    more: 'Exit codes: 0 printed, 2 wrong arguments.\n',
  }
  return commandOf(usage, async ({ operands: [shell = ''] }, context) => {
    const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined
    if (!script) {
      const known = Object.keys(shells).join(', ')
      throw new BadLines([`completion: expected one of ${known}, got ${JSON.stringify(shell)}`])
    }
    const names = Object.keys(commands)
    const top = [['help', names] as const, ['', [...names, 'help']] as const]
    const below = await Promise.all(
      Object.entries(commands).map(([name, command]) => wordsOf(name, command, context)),
    )
    await writeAll(context.stdout, [script([...below.flat(), ...top])])
    return exitCodes.success
  })
}

/** Nothing for a command that the installed package does not have. */
async function wordsOf(
  name: string,
  { needs, load }: ListedCommand,
  context: CliContext,
): Promise<Words> {
  if (needs) return [[name, []]]
  const { main } = await load()
  const help = await helpOf(main, [], context)
  const listed = commandsIn(help)
  const inside = await Promise.all(
    listed.map(async (each) => {
      return [`${name} ${each}`, optionsIn(await helpOf(main, [each], context))] as const
    }),
  )
  return [...inside, [name, listed.length > 0 ? listed : optionsIn(help)]]
}

async function helpOf(main: Main, args: readonly string[], context: CliContext): Promise<string> {
  const stdout = new PassThrough()
  const text = textOf(stdout)
  await main([...args, '--help'], { ...context, stdout })
  stdout.end()
  return text
}

function optionsIn(help: string): string[] {
  return [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, option = '']) => option)
}

function commandsIn(help: string): string[] {
  const [, listed = ''] = /^Commands:\n((?: {2}.*\n)+)/m.exec(help) ?? []
  return [...listed.matchAll(/^ {2}(\w[\w-]*)/gm)].map(([, command = '']) => command)
}
