/** What a report says of a rule. */
import type { Rule } from '@weir/specialist-kit';

export type RuleInfo = Pick<Rule, 'id' | 'title' | 'severity' | 'category' | 'why' | 'fix'>;
