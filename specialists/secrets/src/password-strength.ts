/** Tells a made password from a word, a path, a call or a format: three kinds of characters, not the form of code. */
const KINDS = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/] as const;
const MIN_KINDS = 3;
const CODE =
  /[(){}[\]<>|;,]|^[./~\\]|\/[a-z]+\/|^[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)+$|^[a-z\d]+(?:-[a-z\d]+)*$|::|->|^\w+\/\w|^--?\w|\\[dwsnt]|^[^A-Za-z0-9]*$|^#[0-9a-fA-F]{6}$|^\d+(?:\.\d+)*\w?$/;
const COMMON = /p[a4@][s5$]{2}(?:w[o0]?r?d|phrase)?|secret|admin|root|guest|welcome|letmein|token|user|hello|1234?(?!\d)|kenn?wort|contrase|motdepasse/i;

export const isStrongPassword = (value: string): boolean =>
  !CODE.test(value) && !COMMON.test(value) && KINDS.filter(kind => kind.test(value)).length >= MIN_KINDS;
