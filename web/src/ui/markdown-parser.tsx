import ReactMarkdown from 'react-markdown'
import type { Components } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { CodeBlock } from './code-block.tsx'

/** Longer texts are not parsed, because that would block the page. */
const LONGEST = 100_000

interface Node {
  type: string
  value?: unknown
  tagName?: string
  properties?: object
  children?: Node[]
}

/** Shows HTML as plain text. Otherwise the sanitizer would remove it, and text would be missing. */
const htmlAsText = () => (tree: Node) => {
  const visit = (node: Node): void => {
    for (const child of node.children ?? []) {
      if (child.type !== 'raw') visit(child)
      else if (node.type === 'root')
        Object.assign(child, {
          type: 'element',
          tagName: 'p',
          properties: {},
          children: [{ type: 'text', value: child.value }],
        })
      else child.type = 'text'
    }
  }
  visit(tree)
}

const components: Components = {
  // A link in an agent's text opens in a new tab that gets no information about the board.
  a: ({ href, title, children }) => (
    <a href={href} title={title} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ),
  // Shows the URL of an image instead of the image. Loading it would reveal the reader to another host, and the content
  // security policy forbids it.
  img: ({ alt, src }) => (typeof src === 'string' ? <code>{alt === undefined || alt === '' ? src : alt}</code> : null),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
}

export const MarkdownParser = ({ text }: { readonly text: string }) =>
  text.length > LONGEST ? (
    <CodeBlock>{text}</CodeBlock>
  ) : (
    <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[htmlAsText, rehypeSanitize]} components={components}>
      {text}
    </ReactMarkdown>
  )
