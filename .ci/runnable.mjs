/**
 * After each build: what package.json lists under `bin` may be run. npm sees to that only when it
 * installs the package, and a `dist/` made anew would be refused as "Permission denied".
 */

import { chmodSync, readFileSync } from 'node:fs'

const { bin } = JSON.parse(readFileSync('package.json', 'utf8'))
for (const file of Object.values(bin)) chmodSync(file, 0o755)
