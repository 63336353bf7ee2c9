/** How documents are checked against the schema of scenarios; the same in Node and in a browser. */
export const validatorOptions = {
  allErrors: true,
  verbose: true,
  discriminator: true,
  allowUnionTypes: true,
  strictRequired: false,
} as const
