/**
 * Makes characters visible that a reader of the prompt would not see: bytes that are not UTF-8, controls, invisible
 * characters and those that turn the direction of text. Shown as `⟨byte E9⟩` and `⟨U+202E⟩`; tab and line feed stay.
 */

/**
 * Lone surrogates U+DC80..U+DCFF stand for bytes (the lossless form of the diff model). Characters that Unicode calls ignorable
 * by default are drawn by nobody and can carry text; the joiner and the selector of emoji stay, since a picture needs them.
 */
const HIDDEN =
  /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u2800\ufff9-\ufffb]|(?![\u200d\ufe0f])\p{Default_Ignorable_Code_Point}/gu;

function shown(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');
  return code >= 0xdc80 && code <= 0xdcff ? `⟨byte ${hex(code - 0xdc00, 2)}⟩` : `⟨U+${hex(code, 4)}⟩`;
}

/** Text as a model sees it. Well-formed text without hidden characters comes back as it is. */
export const visibleText = (text: string): string => text.replace(HIDDEN, shown);

/** A path on one line: tab and line feed are shown too. */
export const visiblePath = (path: string): string => visibleText(path).replace(/[\t\n]/g, shown);
