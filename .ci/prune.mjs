// Cleans dist/ before tsc runs. It deletes compiled files without a source, because they would
// still run as tests. If a compiled file is missing, it deletes the build info of tsc, because tsc
// would not write the file again.

import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const filesUnder = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : []

const sourceOf = (compiled) =>
  compiled.replace(/^dist[\\/]/, '').replace(/(?:\.js|\.js\.map|\.d\.ts)$/, '.ts')

for (const file of filesUnder('dist')) {
  const isCompiled = /\.(?:js|js\.map|d\.ts|json)$/.test(file)
  if (isCompiled && !existsSync(sourceOf(file))) rmSync(file)
}

const isLost = (source) =>
  source.endsWith('.ts') && !existsSync(join('dist', source.replace(/\.ts$/, '.js')))
const { include } = JSON.parse(readFileSync('tsconfig.json', 'utf8'))
if (include.flatMap(filesUnder).some(isLost)) {
  for (const project of ['', '.browser']) rmSync(`dist/.tsbuildinfo${project}`, { force: true })
}
