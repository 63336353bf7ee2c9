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

const sourcesOf = (compiled) => {
  const path = compiled.replace(/^dist[\\/]/, '').replace(/(?:\.js|\.js\.map|\.d\.ts)$/, '.ts')
  return [path, path.replace(/\.ts$/, '.tsx')]
}

/** Vite empties the folders of pages itself, and those of Swagger UI are copied. Their files have no source of the same name. */
const isPage = (compiled) => /^dist[\\/](?:docs|page|site)[\\/]/.test(compiled)

for (const file of filesUnder('dist')) {
  const isCompiled = /\.(?:js|js\.map|d\.ts|json)$/.test(file)
  if (isCompiled && !isPage(file) && !sourcesOf(file).some(existsSync)) rmSync(file)
}

const isLost = (source) =>
  /\.tsx?$/.test(source) && !existsSync(join('dist', source.replace(/\.tsx?$/, '.js')))
const { include } = JSON.parse(readFileSync('tsconfig.json', 'utf8'))
if (include.flatMap(filesUnder).some(isLost)) {
  for (const project of ['', '.browser', '.web', '.page'])
    rmSync(`dist/.tsbuildinfo${project}`, { force: true })
}
