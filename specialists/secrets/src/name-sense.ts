/** Tells names that hold a secret from names that are about one: a label, an address, a hash, a public key. */

/** The last word of the name, when it says that the value is something else. */
const LAST_WORD =
  /^(?:labels?|placeholder|errors?|err|messages?|msg|types?|fields?|headers?|urls?|uris?|endpoint|paths?|files?|filename|dir|names?|ids?|regexp?|patterns?|length|len|size|count|limit|hash(?:es|ed)?|digest|checksum|expir(?:y|es|ation)|ttl|age|prefix|suffix|hint|title|text|desc(?:ription)?|policy|provider|class|classname|selector|inputs?|param(?:eter)?s?|format|versions?|issuer|audience|scopes?|arn|refs?|reference|env|var|variable|store|manager|service|kind|column|attr(?:ibute)?|props?|property|algorithm|alg|enabled|disabled|required|rules?|list|set|map|schema|template|image|address(?:es)?|contract|event|action|state|status|mode|icon|style|color|node|index|position|start|end|value_?from|location|host|port|region|user|username|email|date|time|at|by|info|option|handler|callback|function|fn|method|test|mock|example|code|codes|char|symbol|stream|parser|lexer|regexes|test_?id|translation|locale|lang|aria|tag|link|page|route|screen|view|form|button|modal|dialog)$/i;
/** Anywhere in the name. A shipped default and a search-only key are meant for everybody; a page token is a place in a list. */
const ANY_WORD =
  /public|pub_?key|checksum|integrity|fingerprint|thumbprint|sha\d|md5|digest|etag|commit|revision|nonce|csrf_?field|continuation|next_?page|page_?token|page_?key|cursor|(?:sync|next|term|paging|pagination|starting|resume|client|idempotency)_?token|default_?(?:api_?)?(?:key|token)|amz[-_]credential|search_?(?:only_?)?(?:api_?)?key|tokeniz|token_?kind|token_?type|i18n|locale|translation|site_?key|recaptcha_?key|captcha_?site|keyword|keycode|foreign|primary_?key$|partition|sort_?key|cache_?key|storage_?key$|key_?id|kms|keyid|anon_?key|publishable|client_?token_?type|design_?token|syntax|grammar|hashed|encrypted|sealed|cipher|resolve|swagger|testid|ciphertext|apple_?touch|instrumentation/i;
/** CamelCase, snake_case and kebab-case in one form. */
const toWords = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1_$2');

/** @param name as it stands in the line, with its dots and dashes */
export function saysSecret(name: string): boolean {
  const words = toWords(name);
  const last =
    words
      .split(/[_.\-$]+/)
      .filter(Boolean)
      .at(-1) ?? '';
  return !LAST_WORD.test(last) && !ANY_WORD.test(words);
}
