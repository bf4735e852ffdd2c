/** The version that reports and `--version` name; equal to package.json, held by a test. */
export const WEIR_VERSION = '0.1.0';
