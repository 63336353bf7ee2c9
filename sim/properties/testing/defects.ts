/** Engines with something wrong in them, for the tests of properties. */

export { bending, bent, engineWith, mistaken, mistaking, nothing } from '../../defects/wrapping.ts'
