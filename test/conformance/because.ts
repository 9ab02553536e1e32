/** Why we answer otherwise than the SDK's local tool. One sentence for each decision. */

export const documentedSentence =
  "The documented sentence stands alone; the tool runner puts `Error: ` before every plain error.";

export const documentedInsert =
  "The documentation gives `insert` a shorter sentence for a missing path than the other edits.";

export const finalNewline =
  "A final newline ends a line, it does not open another one; an empty file has no line. `view`, `str_replace` and `insert` count alike.";

export const emptyFileKept =
  "Inserting into an empty file writes the text exactly as it is; bytes that nobody asked for are not added.";

export const wholeChange = "The snippet shows every changed line and two around them.";

export const verbatimMatch = "`old_str` is verbatim text and may span lines, so it is looked for in the whole file.";

export const uniqueMatch = "Text that occurs twice is ambiguous wherever the two places are, on one line too.";

export const distinctLines =
  "Each line is named once, however often the text occurs in it, and the list ends after 20.";

export const deletesText = "The documentation makes `new_str` optional: left out, or null, it deletes the text.";

export const nearestText =
  "One more sentence says where nearly the same text is and what differs, which spares Claude a blind second try.";

export const boundedEcho = "No answer grows without limit: an echoed text is shortened after 1,000 characters.";

export const emptyOldText = "An empty `old_str` names no place in the file; the answer says so and points to `insert`.";

export const directoryIsNoFile =
  "The documentation answers an edit of a directory as it does an edit of what does not exist.";

export const rangeIsNamed =
  "A range outside the file is told with the valid one; an empty answer would look like an empty file.";

export const directorySize =
  "A directory's size is the bytes of all that lies in it, not what the disk needs for the folder.";

export const sizeForm = "Sizes have the documented form: bytes below 1024, else one decimal, and never 1024 of a unit.";

export const byteOrder =
  "Entries are sorted by their UTF-8 bytes, a directory with its final `/`: the order of S3, so that a listing can stop early.";

export const canonicalRows = "The rows below the first one are paths in their one canonical form.";

export const noEmptyDirectory = "A directory is there as long as a file is in it: S3 has keys, not folders.";

export const virtualPaths =
  "Claude reads paths below /memories only, never one of the host, and never an error of its system.";

export const directoryIsNamed = "The answer says that a directory is in the way, which no other sentence would.";

export const onlyMemories =
  "Only `/memories` itself and what lies below it is memory; a name that merely starts like it is not.";

export const givesNothingAway =
  "An escape reads like any missing path, so that the answer tells nothing about the guard.";

export const staysBelow = "A `..` may fold only while the path stays below /memories at every step.";

export const leadingSlashes = "Doubled slashes and `.` fold everywhere in a path, at its start too.";

export const encodedEscape = "A path that becomes an escape once something decodes it is refused before anything can.";

export const plainNames =
  "Backslashes, control characters and invisible characters make two names look alike, so no path has them.";

export const oneUnicodeForm = "Two Unicode forms of one name are one file.";

export const longNames = "S3 limits the whole key, not one name in it.";

export const boundedPaths = "A path is limited to 20 parts and to the bytes that a key has room for.";

export const rootStays = "The root can be neither deleted nor moved nor moved onto, however it is spelled.";

export const intoItself = "A move into itself gets a sentence of its own instead of a system error.";

export const sourceFirst = "A missing source is said first, and a refused rename leaves nothing behind.";

export const belowAFile = "Nothing exists below a file, and the answer names no path of the host.";

export const validInput = "Wrong input is told by field, with what is expected, and nothing is written.";

export const nullIsAbsent = "A model that sends null for an optional field means that it is absent.";

export const viewLimit =
  "Claude is told that views are cut at 16,000 characters; the last line says what is missing and how to go on.";

export const images = "Claude is told that `view` shows images.";

export const textOnly =
  "Bytes that are no text are refused, because showing or editing them as text would damage them.";

export const limited = "The documentation asks for limits on the size of a file and on what is viewed.";

export const lineLimit = "The documentation has a fixed sentence for a file with too many lines.";

export const inOrder =
  "Calls of one turn on one path take effect in the order in which Claude sent them, so that none is lost.";

export const byteOrderMark = "A byte order mark is one only at the very start, so the text goes after it.";
