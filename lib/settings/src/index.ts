export { type Origin, type ResolvedSetting, type ResolvedSettings, resolveSettings, type SettingSources } from './resolve-settings.ts';
export { checkValue, expectedForm, type SettingValue } from './setting-value.ts';
export { settingsReference, settingsSchema } from './settings-documents.ts';
