/** A copy of the engine's sources for the type checker, in which one mistake is planted at a time. */

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { engineFiles, repository } from '../mutants/engine-files.ts'
import { mutated, type Mutant } from '../mutants/mutant.ts'

export type TypedEngine = {
  /** Returns the first error of the type checker for a mutant; null if it compiles. */
  readonly errorOf: (mutant: Pick<Mutant, 'file' | 'changeInSource'>) => Promise<string | null>
  readonly remove: () => void
}

/** The options of the repository. A mistake may leave a variable unused or code unreachable. */
const settings = {
  extends: join(repository, 'tsconfig.json'),
  compilerOptions: {
    typeRoots: [join(repository, 'node_modules/@types')],
    rootDir: '.',
    noEmit: true,
    composite: false,
    incremental: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
    allowUnreachableCode: true,
  },
  files: [],
  include: ['engine'],
  exclude: [],
}

export function typedEngine(): TypedEngine {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-types-'))
  const sources = new Map<string, string>()
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const file of engineFiles()) {
    const source = readFileSync(join(repository, file), 'utf8')
    sources.set(file, source)
    write(file, source)
  }
  write('package.json', '{ "type": "module" }')
  write('tsconfig.json', JSON.stringify(settings))
  return {
    async errorOf({ file, changeInSource }) {
      const source = sources.get(file) ?? ''
      write(file, mutated(source, changeInSource))
      const error = await firstErrorIn(folder)
      write(file, source)
      return error
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** One thread is enough for one copy: there is a copy for each core. */
function firstErrorIn(folder: string): Promise<string | null> {
  const tsc = join(repository, 'node_modules/typescript/bin/tsc')
  const args = [tsc, '-p', folder, '--pretty', 'false', '--singleThreaded']
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder }, (failed, stdout, stderr) => {
      if (!failed) return resolve(null)
      const error = stdout.split('\n').find((line) => line.includes(': error TS'))
      // Anything but an error in a file says nothing about the mutant.
      if (error?.startsWith('engine/') === true) return resolve(error)
      reject(new Error(`tsc failed: ${stdout}${stderr}`, { cause: failed }))
    })
  })
}
