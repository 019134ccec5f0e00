/** The name of a tool, without the prefix that programs put before the board's tools. */
export const toolName = (tool: string): string => tool.replace(/^(?:mcp_{1,2})?muster(?:_{1,2}|[./])/, '')
