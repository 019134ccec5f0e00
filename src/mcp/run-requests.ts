/** What the shim asks its supervisor for, beside the names of operations. */
export const TOOL_REQUESTS = { role: 'role', call: 'tool', resources: 'resources', resource: 'resource' } as const
