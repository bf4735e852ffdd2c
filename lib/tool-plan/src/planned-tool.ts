/** A tool with the form and the name that it has upstream. */
import type { ToolName } from './tool-declaration.ts';
import type { ToolForm } from './tool-form.ts';

export interface PlannedTool {
  readonly tool: ToolName;
  readonly form: ToolForm;
  /** Its name upstream; with form `same` it stands beside the tool's own namespace. */
  readonly alias: string;
}
