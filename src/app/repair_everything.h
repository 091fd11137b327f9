#pragma once

class QWidget;

namespace sunder {

class Document;
class Jobs;

/// Works out in a job which repairs take away most of the problems, the cheapest first, and asks: what they are, what they cost, what
/// stays. They are made in one undo step.
void repairEverything(Document& document, Jobs& jobs, QWidget& window);

} // namespace sunder
